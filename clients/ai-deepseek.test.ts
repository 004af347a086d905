import { createDeepSeek } from '@ai-sdk/deepseek'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

operateAi(createDeepSeek({ apiKey: 'none', baseURL: upstream() })('deepseek-chat'), undefined, [
  'image',
])
