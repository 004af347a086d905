import stableStringify from 'fast-json-stable-stringify'
import type { Part } from '../../prompt/prompt.ts'
import type { Incoming } from '../incoming.ts'
import { comparedPromptFor, dialectFor } from '../reading/read-prompt.ts'

/** The parts of a prompt that must not change for its answer to be kept, by their names in a failure. */
type Outline = Record<string, unknown>

/** The first part of the outlines in which two prompts differ; `undefined` where only words differ. */
export function differenceOfOutlines(recorded: Incoming, asked: Incoming): string | undefined {
  const [known, here] = [outlineOf(recorded), outlineOf(asked)]
  return Object.keys(known).find((name) => print(known[name]) !== print(here[name]))
}

function outlineOf(incoming: Incoming): Outline {
  const { canonical, volatile } = incoming
  const { operation, model, parameters, messages, tools } = comparedPromptFor(incoming)
  const ids: Array<string | undefined> = []
  return {
    'the wire format': dialectFor(incoming).name,
    'the address': { ...canonical, body: null },
    'the operation': operation,
    'the model': model,
    'the way it is streamed': parameters.stream,
    'the order of the messages': messages.map(({ role }) => role),
    'the parts of messages': messages.map(({ parts }) =>
      parts.map((part) => outlineOfPart(part, ids)),
    ),
    'the list of tools': tools.map(({ name }) => name),
    'the number of volatile values': volatile.map(({ rule }) => rule),
  }
}

/** Ids compare by their order of first appearance, since some SDKs generate them. */
function outlineOfPart(part: Part, ids: Array<string | undefined>): unknown {
  if (part.type === 'text' || part.type === 'reasoning') return part.type
  if (part.type !== 'tool_call' && part.type !== 'tool_call_response') return part
  if (!ids.includes(part.id)) ids.push(part.id)
  return [part.type, ids.indexOf(part.id), part.type === 'tool_call' ? part.name : '']
}

function print(value: unknown): string {
  return stableStringify([value])
}
