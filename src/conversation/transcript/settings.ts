import { sameJson } from '../../json/same-json.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Tool } from '../../prompt/prompt.ts'
import type { Conversation } from '../conversation.ts'
import { printValue } from './print-part.ts'

/** The parameters and tools of a request. Each is present only if it differs from that of the request before. */
export interface Settings {
  exchange: string
  parameters?: JsonObject
  tools?: Tool[]
}

/** The settings of the requests of a conversation, where they are sent first and where they change. */
export function settingsIn({ steps }: Pick<Conversation, 'steps'>): Settings[] {
  let before: Required<Omit<Settings, 'exchange'>> = { parameters: {}, tools: [] }
  return steps.flatMap(({ exchange, prompt, dialect }) => {
    if (dialect === 'mcp') return []
    // The entries of an imported conversation show its times.
    const { timestamps: _, ...parameters } = prompt.parameters
    const now = { parameters, tools: prompt.tools }
    const changed = {
      ...(same(before.parameters, now.parameters) ? {} : { parameters }),
      ...(same(before.tools, now.tools) ? {} : { tools: now.tools }),
    }
    before = now
    return Object.keys(changed).length === 0 ? [] : [{ exchange: exchange.id, ...changed }]
  })
}

/** The settings of a conversation, by their exchanges. */
export function settingsByExchange(
  conversation: Pick<Conversation, 'steps'>,
): Map<string, Settings> {
  return new Map(settingsIn(conversation).map((one) => [one.exchange, one]))
}

function same(one: object, other: object): boolean {
  return sameJson(one as JsonValue, other as JsonValue)
}

/** Parameters in one line, but for those that take several. */
export function printParameters(parameters: JsonObject): string {
  const fields = Object.entries(parameters).map(([name, value]) => printValue({ [name]: value }))
  const short = fields.filter((field) => !field.includes('\n')).join(' · ')
  const long = fields.filter((field) => field.includes('\n'))
  return [short || [], long].flat().join('\n') || 'no parameters any more'
}

/** The names of tools. */
export function nameTools(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ') || 'no tools any more'
}

/** Each tool with all of its fields. */
export function printTools(tools: readonly Tool[]): string {
  return printValue(tools as unknown as JsonValue) || nameTools(tools)
}
