import { createGoogle } from '@ai-sdk/google'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const google = createGoogle({ apiKey: 'none', baseURL: upstream('/v1beta') })

operateAi(google('gemini-3-pro'), google.embedding('gemini-embedding-001'))
