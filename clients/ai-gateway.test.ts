import { createGateway } from '@ai-sdk/gateway'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

// Its embeddings have an address that says nothing, so the host has to.
const baseURL = upstream('/v4/ai')?.replace('127.0.0.1', 'localhost')
const gateway = createGateway({ apiKey: 'none', baseURL })

operateAi(gateway('openai/gpt-5'), gateway.embeddingModel('openai/text-embedding-3-small'))
