import type { Message, Part } from '../../prompt/prompt.ts'
import { changeOf } from './prompt-change.ts'
import { messagePlace, type ComparedMessage } from './compared-message.ts'
import { partPlace } from './diff-parts.ts'
import { jsonKey } from './json-key.ts'

/** Adds a change for every tool result that answers another call than the one it was recorded for. */
export function diffAnsweredCalls(
  recorded: Message[],
  received: Message[],
  compared: ComparedMessage[],
): void {
  const [oldAnswers, newAnswers] = [findAnsweredCalls(recorded), findAnsweredCalls(received)]
  const counterparts = new Map<string, string>()
  for (const { pair, parts } of compared) {
    for (const part of parts) {
      if (part.recorded === undefined || part.received === undefined) continue
      counterparts.set(
        placeKey(pair.recorded!, part.recorded),
        placeKey(pair.received!, part.received),
      )
    }
  }

  for (const { pair, parts, changes } of compared) {
    for (const part of parts) {
      if (part.recorded === undefined || part.received === undefined) continue
      const before = oldAnswers.get(placeKey(pair.recorded!, part.recorded))
      const after = newAnswers.get(placeKey(pair.received!, part.received))
      // A removed call is a change of its own; its result then has nothing to answer.
      const expected = before && (counterparts.get(before.key) ?? after?.key)
      if (expected === after?.key) continue
      const message = received[pair.received!]!
      const place = messagePlace(pair, message.role, 'answered call')
      place.part = partPlace(message.parts[part.received]!, part.received, message)
      changes.push(
        changeOf(
          place,
          { type: 'text', text: before?.text ?? 'answers no call' },
          { type: 'text', text: after?.text ?? 'answers no call' },
        ),
      )
    }
  }
}

interface AnsweredCall {
  key: string
  text: string
}

/** The call that each tool result answers: the last one before it with the same id. */
function findAnsweredCalls(messages: Message[]): Map<string, AnsweredCall> {
  const calls = new Map<string, AnsweredCall>()
  const answers = new Map<string, AnsweredCall>()
  for (const [messageIndex, message] of messages.entries()) {
    for (const [partIndex, part] of message.parts.entries()) {
      const key = placeKey(messageIndex, partIndex)
      const id = idOf(part)
      if (id === undefined) continue
      if (part.type === 'tool_call')
        calls.set(id, { key, text: describeCall(part, messageIndex, partIndex) })
      else if (calls.has(id)) answers.set(key, calls.get(id)!)
    }
  }
  return answers
}

function idOf(part: Part): string | undefined {
  return part.type === 'tool_call' || part.type === 'tool_call_response' ? part.id : undefined
}

function describeCall(
  part: Part & { type: 'tool_call' },
  message: number,
  position: number,
): string {
  return `message ${message + 1}, part ${position + 1}: ${part.name} ${jsonKey(part.arguments)}`
}

function placeKey(message: number, part: number): string {
  return `${message}.${part}`
}
