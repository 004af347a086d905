import type { Hash } from 'node:crypto'
import { builtin } from '../../real/builtin.ts'
import { inRealWorld } from '../../real/real-world.ts'

/** The beginning of a request, hashed. */
interface Begun {
  head: string
  body: string
  hash: Hash
}

/** The last ones: two conversations can take turns. */
const begun: Begun[] = []
const MOST_BEGUN = 2

/** Characters at the end of a request that are not kept, such as the options behind its messages. */
const END = 1_024

/** Above this length, comparing costs more than hashing. */
const MOST = 524_288

const createHash = inRealWorld(() => builtin('node:crypto').createHash)

/**
 * The sha256 of a long request. The next request of a conversation repeats this one, so what both begin with is hashed
 * once.
 */
export function hashGrowing(head: string, body: string): string {
  const from = begun.findLastIndex((one) => one.head === head && body.startsWith(one.body))
  const known = from < 0 ? undefined : begun.splice(from, 1)[0]!
  // Not concatenated, since that would copy it.
  const hash = known ? known.hash.copy() : createHash('sha256').update(head)
  const start = known?.body.length ?? 0
  const end = Math.max(start, cut(body))
  hash.update(body.slice(start, end))
  if (body.length <= MOST) {
    begun.push({ head, body: body.slice(0, end), hash: hash.copy() })
    if (begun.length > MOST_BEGUN) begun.shift()
  }
  return hash.update(body.slice(end)).digest('base64url')
}

/** Where the end begins, which is never inside of a character. */
function cut(body: string): number {
  const at = body.length - END
  const isInside = (body.charCodeAt(at) & 0xfc00) === 0xdc00
  return isInside ? at - 1 : at
}
