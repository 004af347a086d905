import { sameInOrder } from '../json/key-order.ts'
import { equal } from '../json/walk.ts'
import { withoutHeaders } from '../providers/asking-headers.ts'
import type { Body } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

/** Whether two requests are equal, word for word. If true, their hashes are the same. */
export function isSameRequest(recorded: WireRequest, sent: WireRequest): boolean {
  const asked = recorded.imported?.unknown?.includes('headers') ? withoutHeaders(sent) : sent
  return (
    recorded.url === asked.url &&
    recorded.method === asked.method &&
    recorded.after === asked.after &&
    equal(recorded.headers ?? null, asked.headers ?? null) &&
    sameBody(recorded.body, asked.body)
  )
}

/** Whether two bodies have the same JSON, with the properties of schemas in the same order. */
function sameBody(recorded: Body, asked: Body): boolean {
  return (
    recorded.kind === 'json' && asked.kind === 'json' && sameInOrder(recorded.value, asked.value)
  )
}
