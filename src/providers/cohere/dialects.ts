import type { Dialect } from '../dialect.ts'
import { cohereChat } from './cohere-chat.ts'
import { cohereEmbed } from './cohere-embed.ts'
import { cohereRerank } from './cohere-rerank.ts'

export const cohereDialects: readonly Dialect[] = [cohereChat, cohereEmbed, cohereRerank]
