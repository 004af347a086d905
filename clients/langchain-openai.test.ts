import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { operateLangchain } from './operate-langchain.ts'
import { upstream } from './operation.ts'

const options = { apiKey: 'none', configuration: { baseURL: upstream('/v1') } }

operateLangchain(
  new ChatOpenAI({ ...options, model: 'gpt-5' }),
  new OpenAIEmbeddings({ ...options, model: 'text-embedding-3-small' }),
)
