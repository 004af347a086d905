import sharp from 'sharp'

/** What a drawn screen shows; each may be another than on the plain one. */
export interface Screen {
  width?: number
  height?: number
  /** How far all of it is moved to the right, in pixels. */
  shift?: number
  /** The colour of the button; `none` leaves it out. */
  button?: string
  /** Something far from the button. */
  banner?: boolean
}

/** The middle of the button. */
export const BUTTON = { x: 480, y: 400 }

/** A screen of a shop with a button, as SVG: no letters, whose look hangs on the fonts of a machine. */
export function drawScreen(screen: Screen = {}): Buffer {
  const { width = 640, height = 480, shift = 0, button = '#0a62d0', banner = false } = screen
  const rows = Array.from(
    { length: 9 },
    (_, row) =>
      `<rect x="40" y="${90 + row * 34}" width="${120 + ((row * 53) % 170)}" height="14"/>`,
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="${width}" height="${height}" fill="#f6f6f8"/>
      <g transform="translate(${shift})">
        <rect x="-9" width="700" height="48" fill="#203050"/>${rows.join('')}
        <circle cx="480" cy="190" r="80" fill="#7aa"/>
        ${banner ? '<rect x="30" y="60" width="300" height="300" fill="#222"/>' : ''}
        ${button === 'none' ? '' : `<rect x="400" y="376" width="160" height="48" rx="6" fill="${button}"/><rect x="440" y="394" width="80" height="12" fill="#fff"/>`}
      </g>
    </svg>`,
  )
}

/** The base64 of a screenshot. */
export async function screenshot(
  screen: Screen = {},
  format: 'png' | 'jpeg' | 'webp' = 'png',
): Promise<string> {
  return (await sharp(drawScreen(screen)).toFormat(format).toBuffer()).toString('base64')
}
