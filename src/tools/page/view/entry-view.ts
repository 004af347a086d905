import { countOf } from '../../../text/count-of.ts'
import {
  type ReportCall,
  type ReportEntry,
  type ReportPart,
  textOfPart,
} from '../data/report-data.ts'
import { element, moreButton } from './element.ts'
import { fileView } from './picture-view.ts'

/** Longer data is folded. */
const MAX_BRIEF = 200

/** One message, with the tool calls of an answer. */
export function entryView(entry: ReportEntry): HTMLElement {
  const { role, name, reasoning, parts, calls, extra, error, isCut } = entry
  if (role === 'dropped') return element('p.dropped', parts.map(textOfPart))
  return element(
    'div',
    { class: `entry ${role}` },
    element('div.role', role, name !== undefined && element('span', name)),
    element(
      'div.said',
      reasoning !== undefined && foldElement('Reasoning', textView(reasoning, 'words')),
      parts.map((part) => partView(part, role === 'tool' ? 'code' : 'words', role === 'system')),
      calls.map(callView),
      extra !== undefined && foldElement('Beside it', textView(extra, 'code')),
      error !== undefined && element('p.problem', error),
      isCut && element('p.problem', 'The answer stops here, before its end.'),
    ),
  )
}

function partView(part: ReportPart, kind: 'words' | 'code', isShorter = false): HTMLElement {
  switch (part.type) {
    case 'text':
      return textView(part.text, kind, isShorter)
    case 'data':
      return dataView(part.label, part.text)
    case 'file':
      return fileView(
        part,
        part.before === undefined ? undefined : { file: part.before, label: 'before' },
      )
  }
}

function inCode(part: ReportPart): HTMLElement {
  return partView(part, 'code')
}

/** A part that is no text: in one line if it is short, folded otherwise. */
function dataView(label: string, text: string): HTMLElement {
  if (text === '') return element('p.quiet', `[${label}]`)
  if (text.length > MAX_BRIEF || text.includes('\n'))
    return foldElement(label, textView(text, 'code'))
  return element('p.brief-data', element('span.quiet', label), ` ${text}`)
}

/** A tool call in one line, which unfolds to its parameters and its result. Files of the result are always visible. */
function callView({ name, brief, parameters, result = [], extra }: ReportCall): HTMLElement {
  const { files = [], texts = [] } = Object.groupBy(result, ({ type }) =>
    type === 'file' ? 'files' : 'texts',
  )
  return element(
    'div.call',
    element(
      'details',
      element('summary', element('b', name), element('span.brief', brief)),
      element(
        'div.call-body',
        element('div', element('p.label', 'Parameters'), textView(parameters, 'code')),
        element(
          'div',
          element('p.label', 'Result'),
          result.length === 0 ? element('p.quiet', 'Nothing was sent back.') : texts.map(inCode),
          extra !== undefined && textView(extra, 'code'),
        ),
      ),
    ),
    files.map(inCode),
  )
}

export function foldElement(label: string, body: HTMLElement): HTMLElement {
  return element('details.folded', element('summary', label), body)
}

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
