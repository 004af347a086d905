import Together from 'together-ai'
import { operateChat } from './operate-chat.ts'
import { upstream } from './operation.ts'

operateChat(new Together({ apiKey: 'none', baseURL: upstream('/v1') }))
