import { messagesSample } from './anthropic-messages.ts'
import { genericSample } from './generic.ts'
import { chatSample } from './openai-chat.ts'
import { embeddingsSample } from './openai-embeddings.ts'
import { responsesSample } from './openai-responses.ts'
import type { Sample } from './sample.ts'

/** One sample of every dialect. */
export const samples: Sample[] = [
  chatSample,
  responsesSample,
  messagesSample,
  embeddingsSample,
  genericSample,
]
