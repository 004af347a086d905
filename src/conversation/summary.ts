import { countOf } from '../text/count-of.ts'
import { layOutLine } from '../text/printable.ts'
import { countCalls, type Entry, visitEntry } from './entries.ts'
import { countTurns, type Conversation } from './conversation.ts'
import type { Pictures } from './find-pictures.ts'
import { printParts } from './print-part.ts'

/** The parts of a recording or a stored conversation that a summary needs. */
interface Summarized {
  name: string
  title: string
  timestamp: string
  conversations: Conversation[]
  pictures: Pictures
  /** The metadata of a stored conversation, which may know more than its messages. */
  stated?: StatedFacts
  /** Its usage, in words. */
  taken: string
  /** Further facts about it, a label and a text each. */
  known?: readonly string[][]
}

/** The facts that a summary takes from metadata. */
interface StatedFacts {
  model_id: string | null
  system_prompt: string | null
  task_count: number
  completed_tasks: number
  failed_tasks: number
}

const LONGEST = 100

/** Sums up a conversation in a few lines: its model, how it began and ended, and its usage. */
export function summaryOf(source: Summarized): string {
  const { conversations, title, name, timestamp, pictures, stated, taken, known = [] } = source
  const entries = conversations.flatMap((conversation) => conversation.entries)
  const models = new Set(conversations.flatMap(({ model }) => model ?? []))
  const system = entries.find(({ role }) => role === 'system')
  const said = entries.findLast((entry) => entry.role === 'assistant' && entry.text !== '')
  const counted = countCalls(entries)
  const { all, completed, failed } =
    stated && stated.task_count > counted.all
      ? { all: stated.task_count, completed: stated.completed_tasks, failed: stated.failed_tasks }
      : counted
  const [first, last] = [entries[0]?.time ?? timestamp, entries.at(-1)?.time ?? timestamp]
  const spoken = entries.filter(({ role }) => role !== 'dropped' && role !== 'system')
  const text = (entry: Entry | undefined): string =>
    entry
      ? visitEntry(entry, {
          dropped: () => '',
          said: ({ parts }) => printParts(parts, pictures),
          assistant: (answer) => answer.text,
        })
      : ''
  const rows = [
    ['name', name],
    ['model', [...models].join(', ') || (stated?.model_id ?? '')],
    ['system', text(system) || (stated?.system_prompt ?? '')],
    ['time', first === last ? first : `${first} to ${last}`],
    [
      'messages',
      `${countOf(spoken.length, 'message')}, ${countOf(countTurns(conversations), 'turn')}, ${countOf(conversations.length, 'thread')}`,
    ],
    ...(all === 0 ? [] : [['tasks', `${all}: ${completed} completed, ${failed} failed`]]),
    ['tokens', taken],
    ['asked', goalOf(conversations, pictures)],
    ['answered', text(said)],
    ...known,
  ]
  const lines = rows.flatMap(([label, value]) =>
    value ? `${label!.padEnd(9)} ${shorten(layOutLine(value))}` : [],
  )
  return [layOutLine(title), ...lines].join('\n')
}

/** The first message of a user: the task, in the conversation of an agent. */
export function goalOf(conversations: readonly Conversation[], pictures: Pictures): string {
  const entries = conversations.flatMap((conversation) => conversation.entries)
  const asked = entries.find(({ role }) => role === 'user')
  if (!asked || !('parts' in asked)) return ''
  const words = asked.parts.filter(({ type }) => type === 'text')
  return shorten(printParts(words.length > 0 ? words : asked.parts, pictures))
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text
}
