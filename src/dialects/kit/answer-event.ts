import type { JsonObject } from '../../json/json-value.ts'

/** One event of a streamed answer. */
export interface AnswerEvent {
  /** The `type` in its data, or the name of the event. */
  type: string
  data: JsonObject
  /** The data as it was sent, for `[DONE]`. */
  text: string
  /** True for JSON that does not parse, so that its meaning is unknown. */
  broken?: boolean
}
