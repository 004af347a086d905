import { AzureOpenAI } from 'openai'
import { operateOpenAi } from './operate-openai.ts'
import { upstream } from './operation.ts'

operateOpenAi(
  new AzureOpenAI({
    apiKey: 'none',
    endpoint: upstream() ?? 'https://example.openai.azure.com',
    apiVersion: '2026-10-01',
  }),
)
