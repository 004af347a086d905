import { button, element, openDialog } from './element.ts'

/** A file, and the picture that it replaces. */
interface ShownPicture {
  file: string
  label: string
  before?: { file: string; label: string }
}

const IMAGE = /\.(?:png|jpg|gif|webp|avif)$/
const SOUND = /\.(?:wav|mp3|ogg|flac|m4a)$/

/** Shows a file of a conversation. A changed picture appears beside the earlier one. */
export function fileView(shown: ShownPicture): HTMLElement {
  const { file, label, before } = shown
  if (SOUND.test(file))
    return element(
      'figure.file',
      element('audio', { controls: true, preload: 'none', src: `blobs/${file}` }),
      element('figcaption', label),
    )
  if (!IMAGE.test(file)) return element('a.file', { href: `blobs/${file}`, download: file }, label)
  const now = thumbnail(file, label, shown)
  if (!before) return element('div.pictures', now)
  return element('div.pictures.pair', thumbnail(before.file, before.label, shown), now)
}

function thumbnail(file: string, label: string, shown: ShownPicture): HTMLElement {
  const picture = element('img', { src: `blobs/${file}`, alt: label, loading: 'lazy' })
  return element(
    'figure',
    button(picture, () => enlarge(shown), { 'aria-label': `Enlarge: ${label}` }),
    element('figcaption', label),
  )
}

/** Enlarges a picture, or two side by side with a button for their difference. */
function enlarge({ file, label, before }: ShownPicture): void {
  const now = element('img', { src: `blobs/${file}`, alt: label })
  const old = before && element('img', { src: `blobs/${before.file}`, alt: before.label })
  const stage = element('div.stage', old, now)
  const difference = button(
    'Show the differences',
    () => {
      const isOn = stage.classList.toggle('difference')
      difference.setAttribute('aria-pressed', String(isOn))
    },
    { 'aria-pressed': 'false' },
  )
  const title = element('span', before ? `${before.label} → ${label}` : label)
  openDialog('enlarged', label, [title, before && difference], stage)
}
