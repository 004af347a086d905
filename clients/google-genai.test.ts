import { GoogleGenAI } from '@google/genai'
import { operateGemini } from './operate-gemini.ts'
import { upstream } from './operation.ts'

operateGemini(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: upstream() } }).models)
