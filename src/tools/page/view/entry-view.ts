import type { ReportCall, ReportEntry, ReportPart } from '../data/report-data.ts'
import { element } from './element.ts'
import { fileView } from './picture-view.ts'
import { textView } from './text-view.ts'

/** Longer data is folded. */
const MAX_BRIEF = 200

/** One message, with the tool calls of an answer. */
export function entryView(entry: ReportEntry): HTMLElement {
  const { role, name, reasoning, parts, calls, extra, error, isCut } = entry
  if (role === 'dropped') return element('p.dropped', parts.map(partText))
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

function partText(part: ReportPart): string {
  return part.type === 'file' ? part.label : part.text
}

function partView(part: ReportPart, kind: 'words' | 'code', isShorter = false): HTMLElement {
  switch (part.type) {
    case 'text':
      return textView(part.text, kind, isShorter)
    case 'data':
      return dataView(part.label, part.text)
    case 'file': {
      const { file, label, before } = part
      const old = before === undefined ? {} : { before: { file: before, label: 'before' } }
      return fileView({ file, label, ...old })
    }
  }
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
  const files = result.filter((part) => part.type === 'file')
  const texts = result.filter((part) => part.type !== 'file')
  const answer =
    result.length === 0
      ? element('p.quiet', 'Nothing was sent back.')
      : texts.map((part) => partView(part, 'code'))
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
          answer,
          extra !== undefined && textView(extra, 'code'),
        ),
      ),
    ),
    files.map((part) => partView(part, 'code')),
  )
}

/** Folds an element under a label. */
export function foldElement(label: string, body: HTMLElement): HTMLElement {
  return element('details.folded', element('summary', label), body)
}
