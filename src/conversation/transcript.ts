import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import type { Colors } from 'picocolors/types.js'
import type { JsonObject } from '../json/json-value.ts'
import type { Safe } from '../secrets/veil.ts'
import { layOutLine, printable } from '../text/printable.ts'
import type { AssistantEntry, Conversation, SaidEntry } from './conversation.ts'
import type { PairedCall } from './entries.ts'
import type { Pictures } from './find-pictures.ts'
import {
  nameTools,
  parametersOnLine,
  printExtra,
  printParameters,
  printPart,
  printParts,
  printResult,
  printTools,
  printValue,
  readCall,
  visitConversation,
} from './print-part.ts'

export interface TranscriptOptions {
  /** The width of the terminal. @default 80 */
  width?: number
  /** False writes plain ASCII marks. @default true */
  emoji?: boolean
  /** True writes long texts out. @default false */
  full?: boolean
  /** How to see the lines that are folded away. @default '--full' */
  unfold?: string
  colors: Colors
  /** The files of pictures, which are named in the place of the pictures. */
  pictures: Pictures
}

/** Longer texts are folded to this many lines. */
const MAX_LINES = 12

/** A conversation as a person reads it in a terminal, also when it is piped into a file. */
export function writeTranscript(
  conversation: Safe<Conversation>,
  options: TranscriptOptions,
): string {
  const { width = 80, emoji = true, full = false, colors, pictures } = options
  const { unfold = '--full' } = options
  const { bold, cyan, dim, green, red, yellow } = colors
  const blocks = visitConversation<string[]>(conversation, {
    settings: ({ parameters, tools }) => {
      const offered = tools && (full ? printTools(tools) : nameTools(tools))
      return [
        ...(parameters ? marked('settings', printParameters(parameters)) : []),
        ...(offered === undefined ? [] : marked('offers', offered)),
      ].map(dim)
    },
    dropped: ({ messages }) => {
      const are = messages === 1 ? 'message is' : 'messages are'
      return [dim(`${mark('dropped')} ${messages} earlier ${are} no longer sent`)]
    },
    said,
    assistant,
  }).map((lines) => lines.join('\n'))
  const { uncompared = [] } = conversation
  const note = `Not compared, since the file does not say it: ${uncompared.join(', ')}.`
  return [...blocks, ...(uncompared.length > 0 ? [dim(note)] : [])].join('\n\n')

  function said({ role, parts, extra, userId, turn, time }: SaidEntry): string[] {
    const text = printParts(parts, pictures)
    if (role === 'tool') return [...marked('result', text), ...fields(extra)]
    if (role === 'system') {
      const system = mark('system')
      const [first = '', ...rest] = layOut(text, `${system} `, '   ')
      return [bold(system) + first.slice(system.length), ...rest, ...fields(extra)]
    }
    const user = userId === undefined ? '' : ` ${layOutLine(mentionOf(userId))}`
    const title = bold(cyan(`${mark('user')}${user} [Turn ${turn}]`))
    return [title, clock(time), ...layOut(text, mark('quote'), mark('quote')), ...fields(extra)]
  }

  function assistant(entry: AssistantEntry): string[] {
    const { text, calls, more = [], reasoning, extra, completion, server, turn, time } = entry
    const title =
      server === undefined
        ? `${mark('assistant')} [Turn ${turn}]`
        : `${mark('server')} ${layOutLine(server)}`
    const { error, incomplete } = completion ?? {}
    const lines = [
      ...(text === '' ? [] : marked('text', text)),
      ...more.flatMap((part) => marked('text', printPart(part, pictures))),
      ...calls.flatMap(called),
      ...fields(extra),
      ...(error === undefined ? [] : marked('error', error).map(red)),
      ...(incomplete ? [yellow(`${mark('cut')} the answer stops here, before its end`)] : []),
    ]
    if (lines.length === 0) lines.push(dim(`${mark('text')} (nothing)`))
    const reason = reasoning === undefined ? [] : layOut(reasoning, `   ${mark('reason')} `)
    return [bold(green(title)), clock(time), ...lines, ...reason.map(dim)]
  }

  function called({ name, parameters, result, extra }: PairedCall): string[] {
    const { mark: kind, text, values } = readCall(name, parameters)
    const [title = ''] = marked(kind, layOutLine(name))
    const end = text === undefined ? '' : ':'
    // The parameters stand behind the name, if all of them fit on its line.
    const line = parametersOnLine(values)
    const [whole, ...over] =
      line === undefined ? [] : layOut(`${title}${line === '' ? '' : ` (${line})`}${end}`, '')
    const inline = over.length === 0 ? whole : undefined
    const head = [
      yellow(inline ?? title + end),
      ...(inline === undefined ? inside(printValue(values)) : []),
      ...(text === undefined ? [] : layOut(`"${text}"`, '   ', '    ')),
    ]
    if (result === undefined) return head
    // An empty result is shown as well.
    const found = printResult(result, pictures) || JSON.stringify(result)
    return [...head, ...marked('result', found), ...fields(extra)]
  }

  function mark(name: keyof typeof MARKS): string {
    return MARKS[name][emoji ? 0 : 1]
  }

  /**
   * A text as lines that fit: wrapped, folded where it is long, control characters written out. `lead` opens the first
   * line, spaces of its width or `indent` the others.
   */
  function layOut(text: string, lead: string, indent = ' '.repeat(stringWidth(lead))): string[] {
    const columns = Math.max(20, width - stringWidth(indent))
    const plain = printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '  '))
    const lines = plain
      .split('\n')
      .flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split('\n'))
    // A fold that hides two lines takes as much room as it saves.
    const isLong = !full && lines.length > MAX_LINES + 2
    const shown = isLong ? lines.slice(0, MAX_LINES) : lines
    const hidden = lines.length - shown.length
    if (isLong) shown.push(`${mark('more')} ${hidden.toLocaleString('en')} more lines (${unfold})`)
    return shown.map((line, index) => `${index === 0 ? lead : indent}${line}`.trimEnd())
  }

  function marked(name: keyof typeof MARKS, text: string): string[] {
    return layOut(text, `${mark(name)} `)
  }

  function inside(text: string): string[] {
    return text === '' ? [] : layOut(text, '   ')
  }

  function fields(extra: JsonObject | undefined): string[] {
    return inside(printExtra(extra)).map(dim)
  }

  function clock(time: string): string {
    return dim(`${mark('time')} ${time}`)
  }
}

/** A user as chats mention one, whether the application has written the mention already or not. */
function mentionOf(userId: string): string {
  return /^<@.*>$/s.test(userId) ? userId : `<@${userId.replace(/^@/, '')}>`
}

/** The marks of a transcript: with emoji, and in plain ASCII. */
const MARKS = {
  system: ['🧠 System:', 'System:'],
  user: ['👤 User', 'User'],
  assistant: ['🤖 Assistant', 'Assistant'],
  server: ['🔌 MCP server', 'MCP server'],
  time: ['🕐', 'at'],
  call: ['🔧', 'call:'],
  finished: ['✅', 'done:'],
  text: ['💬', 'says:'],
  result: ['✅', 'done:'],
  reason: ['└─ Reason:', '`- Reason:'],
  dropped: ['✂️ ', '...'],
  error: ['❌', 'error:'],
  cut: ['⚠️ ', 'cut:'],
  quote: ['> ', '> '],
  more: ['…', '...'],
  settings: ['⚙️ ', 'with:'],
  offers: ['🧰', 'offers:'],
} as const
