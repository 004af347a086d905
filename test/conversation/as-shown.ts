import * as markdown from '../../src/conversation/markdown.ts'
import * as transcript from '../../src/conversation/transcript.ts'
import type { Conversation } from '../../src/conversation/conversation.ts'
import type { Pictures } from '../../src/conversation/find-pictures.ts'
import type { Safe } from '../../src/secrets/veil.ts'

// Conversations of tests hold no secrets: only a veil makes those that are shown.

export function writeTranscript(
  conversation: Conversation,
  options: transcript.TranscriptOptions,
): string {
  return transcript.writeTranscript(conversation as Safe<Conversation>, options)
}

export function writeMarkdown(conversation: Conversation, pictures: Pictures): string {
  return markdown.writeMarkdown(conversation as Safe<Conversation>, pictures)
}
