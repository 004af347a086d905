import type { JsonObject } from '../../../src/json/json-value.ts'

/** What every format says, so that the same edits can be tried in each. */
export const SYSTEM = 'You help the customers of a shop.\nPlease answer in one sentence.'
export const EARLIER = 'Which order do you mean?'
export const QUESTION = 'Is the order "17" of the Café in the picture on its way?'
export const RESULTS = ['It left the warehouse on Monday.', 'It is paid.'] as const

/** A picture, of which one byte can be another. */
export const PICTURE = `iVBORw0KGgo${'AbCdEfGh'.repeat(200)}`

/** What a tool is given. */
export const LOOK_UP: JsonObject = {
  type: 'object',
  properties: {
    order: { type: 'integer', description: 'The number of the order.' },
    detail: { type: 'string', enum: ['place', 'date'] },
  },
  required: ['order', 'detail'],
}

export const REFUND: JsonObject = {
  type: 'object',
  properties: { order: { type: 'integer' }, amount: { type: 'number' } },
  required: ['order'],
}

/** The form of an answer: first the reason, then the verdict. */
export const VERDICT: JsonObject = {
  type: 'object',
  properties: {
    reason: { type: 'string', description: 'Why you think so.' },
    onItsWay: { type: 'boolean' },
  },
  required: ['reason', 'onItsWay'],
  additionalProperties: false,
}

export const TOOLS = [
  ['look_up', 'Looks up an order.', LOOK_UP],
  ['refund', 'Pays an order back.', REFUND],
] as const

/** The arguments of the two calls, and their ids. */
export const CALLS = [
  ['call_a', { order: 17, detail: 'place' }],
  ['call_b', { order: 17, detail: 'date' }],
] as const

/** Where a format has what the edits change: paths with dots. */
export interface Places {
  model?: string
  system: string
  question: string
  earlier: string
  /** The list of messages. */
  messages: string
  /** Two messages that can change places. */
  swapped: [string, string]
  picture: string
  tools: string
  toolName: string
  toolText: string
  /** The schema of the arguments of the first tool. */
  parameters: string
  /** The arguments of the first call: an object, or its text. */
  arguments: string
  /** The ids of the two calls, and those that their results name. */
  callIds?: [string, string]
  resultIds?: [string, string]
  /** The texts of the two results. */
  results: [string, string]
  limit: string
  temperature: string
  stop?: string
  choice?: [place: string, other: unknown]
  /** The schema of the answer. */
  schema?: string
}

/** A wire format: a request in it, and where its parts are. */
export interface Format {
  name: string
  url: string
  headers?: Record<string, string>
  body: JsonObject
  at: Places
  /** The address that streams, or the other headers, or the body's field. */
  streamed: { url?: string; headers?: Record<string, string>; body?: JsonObject }
  /** The same request to another model, where the body does not name it. */
  otherModel?: { url?: string; headers?: Record<string, string> }
  /** An address of the same models for another account, region or machine. */
  elsewhere?: string
}
