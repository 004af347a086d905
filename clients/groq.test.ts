import Groq from 'groq-sdk'
import { operateChat } from './operate-chat.ts'
import { upstream } from './operation.ts'

operateChat(new Groq({ apiKey: 'none', baseURL: upstream() }))
