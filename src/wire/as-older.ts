import { READ_BY_DIALECTS } from './asking-headers.ts'
import type { Body } from './body.ts'
import type { WireRequest } from './message.ts'

/**
 * A request as releases with format 1.0 kept it: only the headers that a dialect reads, and no headers of the parts
 * of a form. The rest cannot be compared with their recordings. Returns the same request if it has no more.
 */
export function asOlder(wire: WireRequest): WireRequest {
  const { headers = {}, ...rest } = wire
  const names = Object.keys(headers)
  const kept = names.filter((name) => READ_BY_DIALECTS.includes(name))
  const body = withoutPartHeaders(wire.body)
  if (kept.length === names.length && body === wire.body) return wire
  const known = Object.fromEntries(kept.map((name) => [name, headers[name]!]))
  return { ...rest, ...(kept.length > 0 ? { headers: known } : {}), body }
}

function withoutPartHeaders(body: Body): Body {
  if (body.kind !== 'form' || !body.parts.some((part) => 'headers' in part)) return body
  const parts = body.parts.map((part) => {
    const { headers: _, ...kept } = part
    return kept
  })
  return { ...body, parts }
}
