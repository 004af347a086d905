import type { JsonObject } from '../../json/json-value.ts'

/** One event of a streamed answer. */
export interface AnswerEvent {
  /** What the event says it is: its `type`, or the name of the event. */
  type: string
  data: JsonObject
  /** The data as it was sent, for `[DONE]`. */
  text: string
  /** True for JSON that does not parse; what it would have said is unknown. */
  broken?: boolean
}
