import type { WireRequest } from '../wire/message.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import type { Dialect } from './dialect.ts'
import { generic } from './generic.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every dialect, in the order in which they are asked; the last one claims whatever is left. */
export const dialects: readonly Dialect[] = [
  openaiChat,
  openaiResponses,
  openaiEmbeddings,
  anthropicMessages,
  generic,
]

const PROVIDER_PATH =
  /\/(?:chat\/completions|(?:v\d+\w*|openai|codex)\/(?:responses|embeddings|messages))\/?$/

/** The dialect of a request; `generic` when no other claims it. */
export function dialectOf(request: WireRequest): Dialect {
  return dialects.find((dialect) => dialect.claims(request)) ?? generic
}

/**
 * Whether a request to a host of unknown kind may be an LLM call, judged without its body. It is one
 * only if then a dialect other than `generic` claims it.
 */
export function isProviderPath(method: string, url: URL): boolean {
  return method === 'POST' && PROVIDER_PATH.test(url.pathname)
}
