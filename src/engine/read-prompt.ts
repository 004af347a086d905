import { dialectOf } from '../providers/dialects.ts'
import type { Dialect } from '../providers/dialect.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { rememberFor } from '../remember.ts'
import { READ_BY_DIALECTS } from '../providers/asking-headers.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { markCalls, type Incoming } from './incoming.ts'

/** The dialect that a request speaks. */
export const dialectFor: (incoming: Incoming) => Dialect = rememberFor(({ wire }) =>
  dialectOf(wire),
)

/** The prompt of a request, as people read it. */
export const promptFor: (incoming: Incoming) => Prompt = rememberFor((incoming) =>
  readPrompt(dialectFor(incoming), incoming.wire),
)

/** The answer to a request, as people read it. */
export const completionFor: (response: WireResponse, incoming: Incoming) => Completion =
  rememberFor((response: WireResponse, incoming: Incoming) =>
    dialectFor(incoming).readCompletion(response),
  )

/** The prompt as it is compared: with marks in place of the ids of calls. */
export const comparedPromptFor: (incoming: Incoming) => Prompt = rememberFor((incoming) => {
  const wire = markCalls(incoming.wire)
  return wire === incoming.wire ? promptFor(incoming) : readPrompt(dialectFor(incoming), wire)
})

/** Reads the body of a request as its dialect does, and the headers that no dialect reads. */
export function readPrompt(dialect: Dialect, wire: WireRequest): Prompt {
  const headers = Object.entries(wire.headers ?? {}).filter(
    ([name]) => !READ_BY_DIALECTS.includes(name),
  )
  const prompt = dialect.readPrompt(wire)
  return headers.length === 0 ? prompt : { ...prompt, headers: Object.fromEntries(headers) }
}
