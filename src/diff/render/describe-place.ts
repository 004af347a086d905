import type { PromptChange, MessagePlace, PartPlace } from '../compare/prompt-change.ts'

const PART_NAMES: Record<PartPlace['type'], string> = {
  text: '',
  reasoning: 'reasoning',
  tool_call: 'call',
  tool_call_response: 'result',
  blob: 'attachment',
  uri: 'link',
  other: '',
}

/** The place of a change, from the outside in: `message 13`, `user, was 12`, `part 2`, `arguments.id`. */
export function describePlace(change: PromptChange): string[] {
  const { place } = change
  if (place.area === 'field') return [place.path || 'request']
  if (place.area === 'tool') return compact([`tool ${JSON.stringify(place.tool)}`, place.path])
  return compact([
    describeNumber(place),
    describeRole(place) || 'no role',
    place.part && describePart(place.part),
    place.path,
  ])
}

/** True when a whole message, part or tool was added, removed or moved. */
export function isWhole(change: PromptChange): boolean {
  return change.kind !== 'edited' && change.place.area !== 'field' && change.place.path === ''
}

function describeNumber({ recorded, received }: MessagePlace): string {
  if (received === undefined) return `recorded message ${recorded}`
  return `message ${received}`
}

function describeRole({ role, recorded, received }: MessagePlace): string {
  const isRenumbered = recorded !== undefined && received !== undefined && recorded !== received
  return isRenumbered ? `${role}, was ${recorded}` : role
}

function describePart({ type, number, count, tool }: PartPlace): string {
  const position = count > 1 ? `part ${number}` : ''
  const name = tool === undefined ? PART_NAMES[type] : `call ${tool}`
  return compact([position, name]).join(' ')
}

function compact(words: Array<string | undefined>): string[] {
  return words.filter((word): word is string => word !== undefined && word !== '')
}
