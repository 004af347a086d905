import { ChatAnthropic } from '@langchain/anthropic'
import { operateLangchain } from './operate-langchain.ts'
import { upstream } from './operation.ts'

operateLangchain(
  new ChatAnthropic({ apiKey: 'none', model: 'claude-sonnet-5', anthropicApiUrl: upstream() }),
)
