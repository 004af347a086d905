import { isUnasked } from '../../wire/imported.ts'
import type { WireRequest } from '../../wire/message.ts'

/** Names the parts of an imported request that are unknown, for people; `undefined` if none is. */
export function describeImported(request: WireRequest): string | undefined {
  const { imported } = request
  if (!imported) return undefined
  const { from, unknown = [], redacted = [], respelled } = imported
  if (isUnasked(request)) return `nobody knows which prompt it answers: ${from} kept none`
  const parts = [
    ...unknown,
    ...redacted.map((text) => `the text behind ${JSON.stringify(text)}`),
    ...(respelled ? ['the order of keys'] : []),
  ]
  return `from ${from}; unknown, so not compared: ${parts.join(', ')}`
}
