import type { Dialect } from '../dialect.ts'
import { ollamaChat } from './ollama-chat.ts'
import { ollamaEmbed } from './ollama-embed.ts'

export const ollamaDialects: readonly Dialect[] = [ollamaChat, ollamaEmbed]
