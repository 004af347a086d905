import type { Content, PromptChange, PromptPlace } from '../../diff/prompt-change.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import type { ErrorCode } from '../../errors.ts'
import { findClosest } from '../../explain/closest.ts'
import { isVolatileName } from '../../config/volatile-rule.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { isParameterName } from '../../providers/parameter-names.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { differingOptions } from '../differing-options.ts'

/** What can be told to strangers of a test and its requests: numbers, words of ours, and digests. No text of theirs. */
export interface TestShape {
  /** The digest of its id. */
  test: string
  /** Its options that differ from the defaults. */
  options: Record<string, string>
  /** The exchanges of its cassette; absent where there is none. */
  recorded?: { exchanges: number; played: number }
  /** How many requests there were, by wire format and transport. */
  requests: Record<string, number>
  /** Values that differ from the recorded ones, with the named rules that recognise them; absent where none do. */
  varying?: { values: number; rules: string[] }
  /** Why it failed; absent where it did not. */
  failure?: ErrorCode
  misses: MissShape[]
}

/** A request that nothing answered. */
interface MissShape {
  reason: Miss['reason']
  kind: string
  /** The digest of all that is compared. */
  hash: string
  /** The exchange that is closest, and what differs. */
  closest?: { wasPlayed: boolean; onlyVolatile: boolean; changes: ChangeShape[] }
}

/** A change, without its contents. */
interface ChangeShape {
  kind: PromptChange['kind']
  place: string
  before?: Size
  after?: Size
}

export interface Size {
  type: Content['type']
  characters: number
  lines: number
  digest: string
}

/** The shape of a test for `doctor --report`. */
export function shapeOfTest(session: Session, failure: ErrorCode | undefined): TestShape {
  const { test, config, cassette, recorded, asked, misses } = session
  const answered = asked.map((one) => (one.recording ?? one).incoming)
  const kinds = [...answered, ...misses.map(({ incoming }) => incoming)].map(kindOf)
  const counts = Map.groupBy(kinds, (kind) => kind)
  const undeclared = asked.flatMap((one) => one.undeclared ?? [])
  const played = recorded.filter((one) => one.played > 0).length
  return {
    test: sha256(test.id),
    options: differingOptions(config),
    ...(cassette ? { recorded: { exchanges: recorded.length, played } } : {}),
    requests: Object.fromEntries(Array.from(counts, ([kind, all]) => [kind, all.length])),
    ...(undeclared.length > 0
      ? {
          varying: {
            values: new Set(
              undeclared.flatMap(({ pairs }) => pairs.map((one) => JSON.stringify(one))),
            ).size,
            rules: [...new Set(undeclared.flatMap(({ rules }) => rules.filter(isVolatileName)))],
          },
        }
      : {}),
    ...(failure === undefined ? {} : { failure }),
    misses: misses.map((miss) => shapeOfMiss(session, miss)),
  }
}

function kindOf(incoming: Incoming): string {
  const { url } = incoming.wire
  if (isMcpAddress(url)) return 'MCP'
  return `${dialectFor(incoming).name} by ${/^wss?:/.test(url) ? 'WebSocket' : 'HTTP'}`
}

function shapeOfMiss(session: Session, { reason, incoming }: Miss): MissShape {
  const closest = findClosest(session, session.recorded, incoming)
  return {
    reason,
    kind: kindOf(incoming),
    hash: sha256(incoming.hash),
    ...(closest
      ? {
          closest: {
            wasPlayed: closest.recorded.played > 0,
            onlyVolatile: closest.suggestion !== undefined || closest.identity === true,
            changes: closest.changes.map(shapeOfChange),
          },
        }
      : {}),
  }
}

function shapeOfChange(change: PromptChange): ChangeShape {
  const { kind, place } = change
  return {
    kind,
    place: describePlace(place),
    ...('before' in change ? { before: sizeOf(change.before) } : {}),
    ...('after' in change ? { after: sizeOf(change.after) } : {}),
  }
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'model', 'tool', 'function']

function describePlace(place: PromptPlace): string {
  if (place.area === 'field') return `field ${plainPath(place.path)}`
  const inside = place.path === '' ? '' : `, ${plainPath(place.path)}`
  if (place.area === 'tool') return `tool of ${place.tool.length} characters${inside}`
  const { recorded, received, part } = place
  const role = ROLES.includes(place.role) ? place.role : 'of another role'
  const number = [recorded ?? 'none', received ?? 'none'].join(' → ')
  const where = part ? `, part ${part.number} of ${part.count}, ${part.type}` : ''
  return `message ${number}, ${role}${where}${inside}`
}

/** Words of protocols that are no parameters. */
const WORDS = new Set(
  (
    'model messages message content contents parts role name description parameters properties required type enum items ' +
    'additionalProperties id tool_calls tool_call_id function arguments input instructions system metadata cache_control ' +
    'method path query headers body json_schema schema strict format url index data value text media_type source'
  ).split(' '),
)

/** A path in which the names that applications choose are only as long as they are. */
function plainPath(path: string): string {
  return path.replaceAll(/[^.[\]]+/g, (word) =>
    /^\d{1,6}$/.test(word) || WORDS.has(word) || isParameterName(word)
      ? word
      : `‹${word.length} characters›`,
  )
}

function sizeOf(content: Content): Size {
  const { type } = content
  const text = type === 'text' ? content.text : JSON.stringify(content)
  return { type, characters: text.length, lines: text.split('\n').length, digest: sha256(text) }
}
