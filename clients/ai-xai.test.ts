import { createXai } from '@ai-sdk/xai'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

operateAi(createXai({ apiKey: 'none', baseURL: upstream('/v1') })('grok-4'))
