import OpenAI from 'openai'
import { operateOpenAi } from './operate-openai.ts'
import { upstream } from './operation.ts'

operateOpenAi(new OpenAI({ apiKey: 'sk-none', baseURL: upstream('/v1') }))
