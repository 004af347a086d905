import type { Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { question, recorded } from './example-session.ts'
import { dialectFor } from '../../src/engine/read-prompt.ts'

/** A prompt with its whole history: what user and assistant said, in turns; `system: …` goes before. */
export function chat(...said: string[]): Incoming {
  const isSystem = said[0]!.startsWith('system: ')
  const spoken = isSystem ? said.slice(1) : said
  return question('', {
    messages: [
      ...(isSystem ? [{ role: 'system', content: said[0]!.slice('system: '.length) }] : []),
      ...spoken.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content })),
    ],
  })
}

/** What a session does with a prompt; what goes live gets an answer. */
export function speak(session: Session, incoming: Incoming, live: string = 'live'): string {
  const answer = session.answer(incoming, { order: session.asked.length })
  if (answer.action === 'record') {
    const [exchange] = recorded([incoming, live]).exchanges
    answer.recording.response = exchange!.wire!.response!
    answer.recording.durationMs = 1
    return live
  }
  if (answer.action !== 'replay') return answer.action
  return dialectFor(incoming).readCompletion(answer.response).text
}
