import { createPerplexity } from '@ai-sdk/perplexity'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const perplexity = createPerplexity({ apiKey: 'none', baseURL: upstream() })

operateAi(perplexity('sonar'), undefined, ['tool call', 'tool loop'])
