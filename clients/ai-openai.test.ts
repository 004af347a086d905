import { createOpenAI } from '@ai-sdk/openai'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const openai = createOpenAI({ apiKey: 'none', baseURL: upstream('/v1') })

operateAi(openai('gpt-5'), openai.embedding('text-embedding-3-small'))
