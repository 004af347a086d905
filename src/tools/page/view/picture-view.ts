import { IMAGE } from '../data/report-data.ts'
import { button, element, openDialog } from './element.ts'

/** A file of a conversation. */
interface ShownFile {
  file: string
  label: string
}

const SOUND = /\.(?:wav|mp3|ogg|flac|m4a)$/

/** Shows a file of a conversation; a changed picture beside the one before. */
export function fileView({ file, label }: ShownFile, before?: ShownFile): HTMLElement {
  const src = `blobs/${file}`
  if (SOUND.test(file)) {
    const player = element('audio', { controls: true, preload: 'none', src })
    return element('figure.file', player, element('figcaption', label))
  }
  if (!IMAGE.test(file)) return element('a.file', { href: src, download: file }, label)
  const shown = before ? [before, { file, label }] : [{ file, label }]
  return element(
    before ? 'div.pictures.pair' : 'div.pictures',
    shown.map((one) => thumbnail(one, shown)),
  )
}

function thumbnail(one: ShownFile, all: ShownFile[]): HTMLElement {
  const { label } = one
  const picture = pictureOf(one, { loading: 'lazy' })
  return element(
    'figure',
    button(picture, () => enlarge(all), { 'aria-label': `Enlarge: ${label}` }),
    element('figcaption', label),
  )
}

function pictureOf({ file, label }: ShownFile, more = {}): HTMLImageElement {
  return element('img', { src: `blobs/${file}`, alt: label, ...more })
}

/** Enlarges a picture, or two side by side with a button for their difference. */
function enlarge(all: ShownFile[]): void {
  const stage = element(
    'div.stage',
    all.map((one) => pictureOf(one)),
  )
  const difference = button(
    'Show the differences',
    () => {
      const isOn = stage.classList.toggle('difference')
      difference.setAttribute('aria-pressed', String(isOn))
    },
    { 'aria-pressed': 'false' },
  )
  const labels = all.map(({ label }) => label)
  const head = [element('span', labels.join(' → ')), all.length > 1 && difference]
  openDialog('enlarged', labels.at(-1)!, head, stage)
}
