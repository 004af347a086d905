/** The marks of a transcript: one set with emoji, one in plain ASCII. */
export interface TranscriptMarks {
  system: string
  user: string
  assistant: string
  server: string
  time: string
  call: string
  finished: string
  text: string
  result: string
  reason: string
  dropped: string
  error: string
  cut: string
  quote: string
  more: string
  settings: string
  offers: string
}

export const EMOJI: TranscriptMarks = {
  system: '🧠 System:',
  user: '👤 User',
  assistant: '🤖 Assistant',
  server: '🔌 MCP server',
  time: '🕐',
  call: '🔧',
  finished: '✅',
  text: '💬',
  result: '✅',
  reason: '└─ Reason:',
  dropped: '✂️ ',
  error: '❌',
  cut: '⚠️ ',
  quote: '> ',
  more: '…',
  settings: '⚙️ ',
  offers: '🧰',
}

export const ASCII: TranscriptMarks = {
  system: 'System:',
  user: 'User',
  assistant: 'Assistant',
  server: 'MCP server',
  time: 'at',
  call: 'call:',
  finished: 'done:',
  text: 'says:',
  result: 'done:',
  reason: '`- Reason:',
  dropped: '...',
  error: 'error:',
  cut: 'cut:',
  quote: '> ',
  more: '...',
  settings: 'with:',
  offers: 'offers:',
}
