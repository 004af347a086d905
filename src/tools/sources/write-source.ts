import { type History, historyOf } from '../../histories/write-history.ts'
import { flag, invalidCommand, noFlag, type OptionValues, takes } from '../terminal/options.ts'
import type { Source } from './source.ts'
import { type Terminal, WIDTH_OPTION, widthOf } from '../terminal/command.ts'
import { type WholeKnowledge, knowledgeRows } from './knowledge.ts'
import { layOutLine } from '../../text/printable.ts'
import { settingsIn } from '../../conversation/print-part.ts'
import { writeContext } from '../../conversation/context-file.ts'
import { CassetteError } from '../../errors.ts'
import { cassetteOfContext } from '../../recording/context-cassette.ts'
import { unlessEmpty } from '../../providers/fields.ts'
import { countOf } from '../../text/count-of.ts'
import { writeTranscript } from '../../conversation/transcript.ts'
import { writeMarkdown } from '../../conversation/markdown.ts'
import { printableJson } from '../terminal/write-json.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { type Safe, veilOf } from '../../secrets/veil.ts'
/** The formats in which a conversation can be written. */
export const FORMATS = ['transcript', 'context', 'history', 'json', 'markdown'] as const

export type Format = (typeof FORMATS)[number]

export const THREAD_OPTION = {
  thread: takes(
    'a whole number above 0',
    'one conversation of a cassette that holds several: its number',
  ),
}

export const FORMAT_OPTIONS = {
  format: takes(FORMATS, `${FORMATS.join(', ')} (default: transcript)`),
  ...THREAD_OPTION,
  full: flag('write long texts out'),
  emoji: noFlag('write plain ASCII marks'),
  ...WIDTH_OPTION,
}

/** A cassette or a stored conversation in a format. */
export function writeSource(
  source: Source,
  format: Format,
  values: OptionValues,
  terminal: Terminal,
  known?: WholeKnowledge,
): string {
  const chosen = chooseThreads(source, values)
  switch (format) {
    case 'transcript':
      return [
        titleOf(source, terminal, known),
        ...chosen.map((one) => transcriptOf(source, one, values, terminal)),
      ].join('\n\n')
    case 'markdown':
      return [
        `## ${layOutLine(source.title)}`,
        ...chosen.map((one) => markdownOf(source, one)),
      ].join('\n\n')
    case 'json': {
      const { title, timestamp, name } = source
      const threads = chosen.map((conversation) => {
        const { thread, sample, branchOf, model, entries } = conversation
        const settings = unlessEmpty(settingsIn(conversation))
        const said = entries.map((entry) => ({ ...entry, written: undefined }))
        return { thread, sample, branchOf, model, settings, entries: said }
      })
      return printableJson({ name, conversation_id: title, timestamp, ...known, threads })
    }
    case 'history':
      return printableJson(historyOfSource(source, terminal))
    case 'context':
      if (chosen.length > 1)
        throw severalContexts(`conversations, --thread 1 to ${chosen.length}`, source.name)
      return printableJson(writeContext(chosen[0]!, source.pictures))
  }
}

/** The exchanges of a cassette in words. Warns of the parts that words cannot express. */
function historyOfSource(source: Source, { warn, colors }: Terminal): History {
  const { cassette, conversations, pictures, title, name } = source
  const [only] = conversations
  if (!cassette && (conversations.length > 1 || !only))
    throw new CassetteError(
      'invalid-conversation',
      `${layOutLine(name)} has ${conversations.length} threads and no recorded exchanges; a history can be made of one thread.`,
    )
  const { history, left } = historyOf(
    cassette ?? cassetteOfContext(writeContext(only!, pictures), title),
  )
  if (left.length > 0)
    warn(
      colors.yellow(
        `${layOutLine(name)}: a history has words alone, so it is without ${left.join(', ')}.`,
      ),
    )
  return history
}

/** The threads that `--thread` names, or all. */
export function chooseThreads(
  { conversations, name }: Source,
  values: OptionValues,
): Conversation[] {
  if (values.thread === undefined) return conversations
  const number = Number(values.thread)
  const chosen = conversations[number - 1]
  if (chosen) return [chosen]
  throw invalidCommand(
    `${layOutLine(name)} has no thread ${String(values.thread)}; it has ${countOf(conversations.length, 'thread')}.`,
  )
}

function transcriptOf(
  source: Source,
  conversation: Conversation,
  values: OptionValues,
  terminal: Terminal,
): string {
  const text = writeTranscript(shownOf(source, conversation), {
    width: widthOf(terminal, values),
    emoji: values.emoji !== false,
    full: values.full === true,
    colors: terminal.colors,
    pictures: source.pictures,
  })
  const heading = headingOf(source, conversation)
  return heading === '' ? text : `${terminal.colors.dim(`--- ${heading} ---`)}\n\n${text}`
}

/** A conversation without secrets. */
function shownOf({ cassette }: Source, conversation: Conversation): Safe<Conversation> {
  return veilOf(cassette ?? conversation)
    .learn(cassette?.exchanges ?? '')
    .hide(conversation)
}

function markdownOf(source: Source, conversation: Conversation): string {
  const heading = headingOf(source, conversation)
  const text = writeMarkdown(shownOf(source, conversation), source.pictures)
  return heading === '' ? text : `### ${heading}\n\n${text}`
}

/** A cassette with one conversation needs no headings. */
function headingOf({ conversations }: Source, conversation: Conversation): string {
  if (conversations.length === 1) return ''
  const { thread, sample, branchOf, model, entries } = conversation
  const [first] = entries
  const server = first?.role === 'assistant' ? first.server : undefined
  const asked = server === undefined ? model : `MCP server ${server}`
  const branch = branchOf
    ? `, branches from ${branchOf.thread} after exchange ${branchOf.step}`
    : ''
  const repeat = sample === undefined ? '' : `, sample ${sample}`
  return `${thread} of ${conversations.length}${repeat}${asked === undefined ? '' : `, ${layOutLine(asked)}`}${branch}`
}

function titleOf(
  { title, name, timestamp }: Source,
  { colors }: Terminal,
  known: WholeKnowledge | undefined,
): string {
  const rows = known ? knowledgeRows(known) : []
  const lines = rows.map(([label, text]) => `${label!.padEnd(9)} ${layOutLine(text!)}`)
  const head = [`${layOutLine(name)}, recorded ${timestamp}`, ...lines]
  return [colors.bold(layOutLine(title)), ...head.map((line) => colors.dim(line))].join('\n')
}

export function severalContexts(what: string, name: string): CassetteError {
  return invalidCommand(
    `A context file is one conversation, and there are several ${what}. Choose one of ${layOutLine(name)}.`,
  )
}
