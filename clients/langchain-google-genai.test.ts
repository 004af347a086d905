import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { operateLangchain } from './operate-langchain.ts'
import { upstream } from './operation.ts'

const options = { apiKey: 'none', baseUrl: upstream() }

operateLangchain(
  new ChatGoogleGenerativeAI({ ...options, model: 'gemini-3-pro' }),
  new GoogleGenerativeAIEmbeddings({ ...options, model: 'gemini-embedding-001' }),
)
