import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import type { Colors } from 'picocolors/types.js'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import { layOutLine, printable } from '../text/printable.ts'
import type { AssistantEntry, Conversation, Entry, SaidEntry } from './conversation.ts'
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
  type Settings,
  settingsByExchange,
} from './print-part.ts'

export interface TranscriptOptions {
  /** The width of the terminal. @default 80 */
  width?: number
  /** False writes plain ASCII marks. @default true */
  emoji?: boolean
  /** True writes long texts out. @default false */
  full?: boolean
  colors: Colors
  /** The files of pictures, which are named in the place of the pictures. */
  pictures: Pictures
}

/** Longer texts are folded to this many lines. */
const MAX_LINES = 12

/** A conversation as a person reads it in a terminal, also when it is piped into a file. */
export function writeTranscript(conversation: Conversation, options: TranscriptOptions): string {
  const { width = 80, emoji = true, full = false, colors, pictures } = options
  const marks = emoji ? EMOJI : ASCII
  const layout = { width, maxLines: full ? Infinity : MAX_LINES, more: marks.more }
  const writer = new TranscriptWriter(marks, layout, colors, pictures)
  const settings = settingsByExchange(conversation)
  const blocks = conversation.entries.flatMap((entry) => {
    const own = settings.get(entry.exchange)
    settings.delete(entry.exchange)
    return [...(own ? [writer.writeSettings(own, full)] : []), writer.write(entry)]
  })
  const said = blocks.map((lines) => lines.join('\n'))
  const { uncompared = [] } = conversation
  const note = `Not compared, since the file does not say it: ${uncompared.join(', ')}.`
  return [...said, ...(uncompared.length > 0 ? [colors.dim(note)] : [])].join('\n\n')
}

class TranscriptWriter {
  readonly #marks: TranscriptMarks
  readonly #layout: TextLayout
  readonly #colors: Colors
  readonly #pictures: Pictures

  constructor(marks: TranscriptMarks, layout: TextLayout, colors: Colors, pictures: Pictures) {
    this.#marks = marks
    this.#layout = layout
    this.#colors = colors
    this.#pictures = pictures
  }

  writeSettings({ parameters, tools }: Settings, full: boolean): string[] {
    const lines = [
      ...(parameters ? this.#text(printParameters(parameters), 'settings') : []),
      ...(tools ? this.#text(full ? printTools(tools) : nameTools(tools), 'offers') : []),
    ]
    return lines.map(this.#colors.dim)
  }

  write(entry: Entry): string[] {
    if (entry.role === 'assistant') return this.#writeAssistant(entry)
    if (entry.role !== 'dropped') return this.#writeSaid(entry)
    const { messages } = entry
    const text = `${messages} earlier ${messages === 1 ? 'message is' : 'messages are'} no longer sent`
    return [this.#colors.dim(`${this.#marks.dropped} ${text}`)]
  }

  #writeSaid(entry: SaidEntry): string[] {
    const { bold, cyan } = this.#colors
    const extra = this.#extra(entry.extra)
    if (entry.role === 'system') return [...this.#instructions(entry), ...extra]
    if (entry.role === 'tool')
      return [...this.#text(printParts(entry.parts, this.#pictures), 'result'), ...extra]
    const user = entry.userId === undefined ? '' : ` ${layOutLine(mentionOf(entry.userId))}`
    const title = `${this.#marks.user}${user} [Turn ${entry.turn}]`
    const text = this.#quote(printParts(entry.parts, this.#pictures))
    return [bold(cyan(title)), this.#time(entry), ...text, ...extra]
  }

  #writeAssistant(entry: AssistantEntry): string[] {
    const { bold, green, dim } = this.#colors
    const { text, calls, more = [], reasoning, extra, completion, server } = entry
    const title =
      server === undefined
        ? `${this.#marks.assistant} [Turn ${entry.turn}]`
        : `${this.#marks.server} ${layOutLine(server)}`
    const said = text === '' ? [] : this.#text(text, 'text')
    const lines = [
      ...said,
      ...more.flatMap((part) => this.#text(printPart(part, this.#pictures), 'text')),
      ...calls.flatMap((call) => this.#writeCall(call)),
      ...this.#extra(extra),
      ...this.#writeEnd(completion),
    ]
    const reason =
      reasoning === undefined
        ? []
        : layOutText(reasoning, `   ${this.#marks.reason} `, this.#layout)
    const nothing = lines.length === 0 ? [dim(`${this.#marks.text} (nothing)`)] : []
    return [
      bold(green(title)),
      this.#time(entry),
      ...lines,
      ...nothing,
      ...reason.map((line) => dim(line)),
    ]
  }

  #instructions({ parts }: SaidEntry): string[] {
    const { system } = this.#marks
    const text = printParts(parts, this.#pictures)
    const [first = '', ...rest] = layOutText(text, `${system} `, this.#layout, '   ')
    return [this.#colors.bold(system) + first.slice(system.length), ...rest]
  }

  #writeCall({ name, parameters, result, extra }: PairedCall): string[] {
    const { yellow } = this.#colors
    const { mark, text, values } = readCall(name, parameters)
    const lead = `${this.#marks[mark]} `
    const [title = ''] = layOutText(layOutLine(name), lead, this.#layout)
    const inline = this.#inParentheses(title, values, text === undefined ? '' : ':')
    const printed = inline === undefined ? printValue(values) : ''
    const given = [
      ...(printed === '' ? [] : layOutText(printed, '   ', this.#layout)),
      ...(text === undefined ? [] : layOutText(`"${text}"`, '   ', this.#layout, '    ')),
    ]
    const end = text === undefined ? '' : ':'
    const head = [yellow(inline ?? title + end), ...given]
    if (result === undefined) return head
    const said = printResult(result, this.#pictures)
    // An empty result is shown as well.
    const found = this.#text(said === '' ? JSON.stringify(result) : said, 'result')
    return [...head, ...found, ...this.#extra(extra)]
  }

  /** The name of a call with its parameters behind it, if all of them fit on one line. */
  #inParentheses(title: string, values: JsonValue, end: string): string | undefined {
    const line = parametersOnLine(values)
    if (line === undefined) return undefined
    const [whole, ...more] = layOutText(
      `${title}${line === '' ? '' : ` (${line})`}${end}`,
      '',
      this.#layout,
    )
    return more.length === 0 ? whole : undefined
  }

  #writeEnd(completion: Completion | undefined): string[] {
    const { red, yellow } = this.#colors
    const lines =
      completion?.error === undefined
        ? []
        : this.#text(completion.error, 'error').map((line) => red(line))
    if (!completion?.incomplete) return lines
    return [...lines, yellow(`${this.#marks.cut} the answer stops here, before its end`)]
  }

  #extra(extra: JsonObject | undefined): string[] {
    const text = printExtra(extra)
    return text === '' ? [] : layOutText(text, '   ', this.#layout).map(this.#colors.dim)
  }

  #text(text: string, mark: 'text' | 'result' | 'error' | 'settings' | 'offers'): string[] {
    return layOutText(text, `${this.#marks[mark]} `, this.#layout)
  }

  #quote(text: string): string[] {
    return layOutText(text, this.#marks.quote, this.#layout, this.#marks.quote)
  }

  #time({ time }: Entry): string {
    return this.#colors.dim(`${this.#marks.time} ${time}`)
  }
}

/** A user as chats mention one, whether the application has written the mention already or not. */
function mentionOf(userId: string): string {
  return /^<@.*>$/s.test(userId) ? userId : `<@${userId.replace(/^@/, '')}>`
}

/** The marks of a transcript: one set with emoji, one in plain ASCII. */
export interface TranscriptMarks {
  system: string
  user: string
  assistant: string
  server: string
  time: string
  call: string
  finished: string
  text: string
  result: string
  reason: string
  dropped: string
  error: string
  cut: string
  quote: string
  more: string
  settings: string
  offers: string
}

export const EMOJI: TranscriptMarks = {
  system: '🧠 System:',
  user: '👤 User',
  assistant: '🤖 Assistant',
  server: '🔌 MCP server',
  time: '🕐',
  call: '🔧',
  finished: '✅',
  text: '💬',
  result: '✅',
  reason: '└─ Reason:',
  dropped: '✂️ ',
  error: '❌',
  cut: '⚠️ ',
  quote: '> ',
  more: '…',
  settings: '⚙️ ',
  offers: '🧰',
}

export const ASCII: TranscriptMarks = {
  system: 'System:',
  user: 'User',
  assistant: 'Assistant',
  server: 'MCP server',
  time: 'at',
  call: 'call:',
  finished: 'done:',
  text: 'says:',
  result: 'done:',
  reason: '`- Reason:',
  dropped: '...',
  error: 'error:',
  cut: 'cut:',
  quote: '> ',
  more: '...',
  settings: 'with:',
  offers: 'offers:',
}

/** How text is laid out. */
export interface TextLayout {
  /** The width of the terminal in columns. */
  width: number
  /** Lines after which a text is folded. */
  maxLines: number
  /** Opens the line that says how much is folded. */
  more: string
}

/**
 * A text as lines that fit: wrapped, folded where it is long, control characters written out. `lead`
 * opens the first line, spaces of its width or `indent` the others.
 */
export function layOutText(
  text: string,
  lead: string,
  { width, maxLines, more }: TextLayout,
  indent: string = ' '.repeat(stringWidth(lead)),
): string[] {
  const columns = Math.max(20, width - stringWidth(indent))
  const plain = printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '  '))
  const lines = plain
    .split('\n')
    .flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split('\n'))
  // A fold that hides two lines takes as much room as it saves.
  const shown = lines.length > maxLines + 2 ? lines.slice(0, maxLines) : lines
  const hidden = lines.length - shown.length
  if (hidden > 0) shown.push(`${more} ${hidden.toLocaleString('en')} more lines (--full)`)
  return shown.map((line, index) => `${index === 0 ? lead : indent}${line}`.trimEnd())
}
