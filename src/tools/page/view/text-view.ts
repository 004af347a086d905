import { countOf } from '../../../text/count-of.ts'
import { moreButton } from './disclosure.ts'
import { element } from './element.ts'

/** How much of a text is shown at first. */
const SHORT = { lines: 30, characters: 4_000 }
const SHORTER = { lines: 10, characters: 1_200 }

/** A text, cut if it is long, with a button for the rest: a page of long texts should open at once. */
export function textView(text: string, kind: 'words' | 'code', isShorter = false): HTMLElement {
  const limit = isShorter ? SHORTER : SHORT
  const shown = startOf(text, limit)
  const block = element('div', { class: `text ${kind}`, dir: 'auto' }, shown)
  if (shown.length === text.length) return block
  const lines = text.split('\n').length
  const all = lines > limit.lines ? countOf(lines, 'line') : countOf(text.length, 'character')
  const more = moreButton(`Show all ${all}`, () => (block.textContent = text))
  return element('div.clipped', block, more)
}

/** Cuts a text after the limit of lines or of characters. A text just over the limit stays whole. */
function startOf(text: string, { lines, characters }: typeof SHORT): string {
  let end = 0
  for (let line = 0; line < lines && end !== -1; line++) end = text.indexOf('\n', end + 1)
  const cut = Math.min(end === -1 ? text.length : end, characters)
  if (text.length - cut < characters / 5 && text.slice(cut).split('\n').length < lines / 2)
    return text
  return text.slice(0, cut)
}
