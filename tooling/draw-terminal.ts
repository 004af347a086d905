import Anser, { type AnserJsonEntry } from 'anser'

const COLUMN = 8.4
const LINE = 20
const BACKGROUND = '#16181d'
const FOREGROUND = '#d7dae0'

/** The colours of a present-day terminal, in place of the harsh ones of ANSI. */
const PALETTE: Record<string, string> = {
  '187, 0, 0': '#ff6b6b',
  '0, 187, 0': '#5fd68b',
  '187, 187, 0': '#e5c07b',
  '0, 187, 187': '#56b6c2',
  '187, 0, 187': '#c792ea',
  '0, 0, 187': '#61afef',
  '85, 85, 85': '#7f848e',
}

/** Draws the lines of a terminal as an SVG. */
export function drawTerminal(shown: string[]): string {
  const width = Math.max(...shown.map((line) => Anser.ansiToText(line).length)) * COLUMN + 40
  const height = shown.length * LINE + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...shown.map((line, index) => drawLine(line, 32 + index * LINE)),
    '</svg>\n',
  ].join('\n')
}

function drawLine(line: string, y: number): string {
  let column = 0
  const pieces = Anser.ansiToJson(line, { remove_empty: true, json: true }).map((piece) => {
    const x = 20 + column * COLUMN
    column += piece.content.length
    return drawPiece(piece, x, y)
  })
  return pieces.join('')
}

function drawPiece(piece: AnserJsonEntry, x: number, y: number): string {
  const inverse = piece.decorations.includes('reverse')
  const color = paint(piece.fg) ?? FOREGROUND
  const back = inverse ? color : paint(piece.bg)
  const width = piece.content.length * COLUMN
  const box = back
    ? `<rect x="${x}" y="${y - 14}" width="${width}" height="18" fill="${back}"/>`
    : ''
  const weight = piece.decorations.includes('bold') ? ' font-weight="bold"' : ''
  const opacity = piece.decorations.includes('dim') ? ' opacity="0.6"' : ''
  const text = escapeXml(piece.content)
  return `${box}<text x="${x}" y="${y}" fill="${inverse ? BACKGROUND : color}"${weight}${opacity} xml:space="preserve" textLength="${width}">${text}</text>`
}

function paint(color: string): string | undefined {
  return color ? (PALETTE[color] ?? `rgb(${color})`) : undefined
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
