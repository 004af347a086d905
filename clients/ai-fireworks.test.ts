import { createFireworks } from '@ai-sdk/fireworks'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const fireworks = createFireworks({ apiKey: 'none', baseURL: upstream('/inference/v1') })

operateAi(
  fireworks('accounts/fireworks/models/gpt-oss-120b'),
  fireworks.embeddingModel('nomic-ai/nomic-embed-text-v1.5'),
)
