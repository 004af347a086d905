import type { JsonObject } from '../json/json-value.ts'
import type { Prompt, Tool } from '../prompt/prompt.ts'
import { diffFields, diffJson } from './diff-json.ts'
import { diffMessages } from './diff-messages.ts'
import { toolKey } from './message-key.ts'
import {
  changeOf,
  type Content,
  diffTexts,
  type PromptChange,
  type ToolPlace,
} from './prompt-change.ts'

/**
 * Compares two prompts the way a person reads them: message by message, field by field. Ids of tool calls do not
 * count, but the call that a result answers does.
 */
export function diffPrompts(recorded: Prompt, received: Prompt): PromptChange[] {
  return [
    ...diffName('provider', recorded.provider, received.provider),
    ...diffName('operation', recorded.operation, received.operation),
    ...diffName('model', recorded.model, received.model),
    ...diffHeaders(recorded.headers, received.headers),
    ...diffMessages(recorded.messages, received.messages),
    ...diffFields(recorded.parameters, received.parameters),
    ...diffTools(recorded.tools, received.tools),
  ]
}

function diffHeaders(
  recorded: Prompt['headers'] = {},
  received: Prompt['headers'] = {},
): PromptChange[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(received)])
  return [...names]
    .sort()
    .flatMap((name) => diffName(`header ${name}`, recorded[name], received[name]))
}

function diffName(
  path: string,
  before: string | undefined,
  after: string | undefined,
): PromptChange[] {
  return diffTexts({ area: 'field', path }, before, after)
}

/** Compares two lists of tools, paired by name; a tool that changed only its name counts as renamed. */
function diffTools(recorded: Tool[], received: Tool[]): PromptChange[] {
  const pairs = pairTools(recorded, received)
  const changes: PromptChange[] = []
  for (const { old, current } of pairs) {
    if (old && current) changes.push(...compareTools(old, current))
    else changes.push(changeOf(toolPlace((current ?? old)!), contentOf(old), contentOf(current)))
  }
  return [...changes, ...compareOrder(pairs, recorded)]
}

interface ToolPair {
  old?: Tool
  /** The position of `old` among the recorded tools, once it is paired. */
  position?: number
  current?: Tool
}

function pairTools(recorded: Tool[], received: Tool[]): ToolPair[] {
  const pairs: ToolPair[] = received.map((current) => ({ current }))
  const left = new Set(recorded.keys())
  const keys: Array<(tool: Tool) => string> = [
    toolKey,
    (tool) => tool.name,
    (tool) => toolKey({ ...tool, name: '' }),
  ]
  for (const keyOf of keys) {
    const positions = Map.groupBy(left, (position) => keyOf(recorded[position]!))
    for (const pair of pairs) {
      if (pair.old) continue
      const position = positions.get(keyOf(pair.current!))?.shift()
      if (position === undefined) continue
      pair.old = recorded[position]!
      pair.position = position
      left.delete(position)
    }
  }
  return [...pairs, ...[...left].map((position) => ({ old: recorded[position]! }))]
}

function compareTools(old: Tool, current: Tool): PromptChange[] {
  const place = toolPlace(current)
  return diffJson(fieldsOf(old), fieldsOf(current), '', (path) => ({ ...place, path }))
}

/** The fields of a tool to compare; `extra` is one of them, as it was sent. */
function fieldsOf(tool: Tool): JsonObject {
  return { ...tool, extra: tool.extra ?? {} } as unknown as JsonObject
}

function compareOrder(pairs: ToolPair[], recorded: Tool[]): PromptChange[] {
  const order = pairs.flatMap((pair) => pair.position ?? [])
  const sorted = order.toSorted((one, other) => one - other)
  const describe = (position: number): string => `${position + 1} ${recorded[position]!.name}`
  return diffTexts(
    { area: 'field', path: 'order of tools' },
    sorted.map(describe).join(', '),
    order.map(describe).join(', '),
  )
}

function contentOf(tool: Tool | undefined): Content | undefined {
  return tool && { type: 'tool', tool }
}

function toolPlace(tool: Tool): ToolPlace {
  return { area: 'tool', tool: tool.name, path: '' }
}
