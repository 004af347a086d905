import type { JsonObject } from '../../json/json-value.ts'
import type { AnswerEvent, JoinedAnswer } from '../kit/read-answer.ts'
import { Drafts } from '../kit/drafts.ts'
import { arrayOf, numberOf, objectOf, stringOf } from '../fields.ts'

/** Events after which nothing follows. */
const ENDS = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  // The end of every response on a Realtime socket.
  'response.done',
])

/** The place of a streamed text: the list of its item, and the type and field of its part. */
interface StreamedText {
  list: 'content' | 'summary'
  type: string
  field: 'text' | 'refusal' | 'transcript'
}

const TEXTS = new Map<string, StreamedText>([
  ['response.output_text.delta', { list: 'content', type: 'output_text', field: 'text' }],
  ['response.text.delta', { list: 'content', type: 'output_text', field: 'text' }],
  [
    'response.output_audio_transcript.delta',
    { list: 'content', type: 'output_audio', field: 'transcript' },
  ],
  [
    'response.audio_transcript.delta',
    { list: 'content', type: 'output_audio', field: 'transcript' },
  ],
  ['response.refusal.delta', { list: 'content', type: 'refusal', field: 'refusal' }],
  ['response.reasoning_text.delta', { list: 'content', type: 'reasoning_text', field: 'text' }],
  [
    'response.reasoning_summary_text.delta',
    { list: 'summary', type: 'summary_text', field: 'text' },
  ],
])

/** The field of the item that collects the streamed input of a call. */
const INPUTS = new Map([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.mcp_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
  ['response.code_interpreter_call_code.delta', 'code'],
])

/** Joins the events of a streamed response into one response. */
export function joinResponseEvents(events: AnswerEvent[]): JoinedAnswer {
  const end = events.find(({ type }) => ENDS.has(type))
  const drafts = new Drafts<ItemDraft>()
  for (const { type, data } of events) {
    const index = numberOf(data.output_index) ?? 0
    const draft = drafts.get(index) ?? new ItemDraft()
    if (draft.add(type, data)) drafts.set(index, draft)
  }
  const response = objectOf(end?.data.response)
  // Some servers end with an empty output although they streamed one.
  const output = arrayOf(response.output).length > 0 ? arrayOf(response.output) : undefined
  return {
    body: {
      ...(end ? { status: end.type.slice('response.'.length) } : {}),
      ...response,
      output: output ?? drafts.inOrder().map((draft) => draft.joined()),
    },
    whole: end !== undefined,
  }
}

/** One item of a response, as received so far. */
class ItemDraft {
  #item: JsonObject = {}
  #done = false
  /** By the list, place and field of the text. */
  readonly #texts = new Map<string, StreamedText & { text: string }>()
  readonly #inputs = new Map<string, string>()

  /** Adds an event; false if it concerns no item. */
  add(type: string, data: JsonObject): boolean {
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.#item = objectOf(data.item)
      this.#done = type.endsWith('.done')
      return true
    }
    const delta = stringOf(data.delta) ?? ''
    const input = INPUTS.get(type)
    if (input !== undefined) this.#inputs.set(input, (this.#inputs.get(input) ?? '') + delta)
    const text = TEXTS.get(type)
    if (text !== undefined) this.#addText(text, data, delta)
    return input !== undefined || text !== undefined
  }

  joined(): JsonObject {
    if (this.#done) return this.#item
    const item = { ...this.#item, ...Object.fromEntries(this.#inputs) }
    for (const list of ['summary', 'content']) {
      const texts = [...this.#texts.values()].filter((text) => text.list === list)
      if (texts.length > 0)
        item[list] = texts.map(({ type, field, text }) => ({ type, [field]: text }))
    }
    return item
  }

  #addText(streamed: StreamedText, data: JsonObject, delta: string): void {
    const place = numberOf(data.summary_index, data.content_index) ?? 0
    const key = `${streamed.list}[${place}].${streamed.field}`
    const text = this.#texts.get(key) ?? { ...streamed, text: '' }
    this.#texts.set(key, { ...text, text: text.text + delta })
  }
}
