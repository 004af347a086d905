import { createAnthropic } from '@ai-sdk/anthropic'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const anthropic = createAnthropic({ apiKey: 'none', baseURL: upstream('/v1') })

operateAi(anthropic('claude-sonnet-5'))
