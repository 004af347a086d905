import type { Dialect } from '../dialects/kit/dialect.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { READ_BY_DIALECTS } from '../wire/asking-headers.ts'
import type { WireRequest } from '../wire/message.ts'

/** Reads what is asked: the body as its dialect does, and the headers that no dialect reads. */
export function readAsked(dialect: Dialect, wire: WireRequest): Prompt {
  const headers = Object.entries(wire.headers ?? {}).filter(
    ([name]) => !READ_BY_DIALECTS.includes(name),
  )
  const prompt = dialect.readPrompt(wire)
  return headers.length === 0 ? prompt : { ...prompt, headers: Object.fromEntries(headers) }
}
