import type { Completion } from '../prompt/completion.ts'

/** The most characters of an answer that are shown. */
const MAX_LENGTH = 400

/** An answer to show beside another: its text and its tool calls. */
export function answerText({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`)
  const said = [text.trim(), ...calls].filter(Boolean).join(' ')
  const shown = said || `nothing, and ends with ${finishReasons.join(', ') || 'no reason'}`
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown
}
