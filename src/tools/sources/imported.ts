import { isUnasked } from '../../wire/imported.ts'
import type { WireRequest } from '../../wire/message.ts'

/** What the file of another tool did not tell of a request, for people; `undefined` where it told all that counts. */
export function describeImported(request: WireRequest): string | undefined {
  const { imported } = request
  if (!imported) return undefined
  const { from, unknown = [], redacted = [], respelled } = imported
  if (isUnasked(request)) return `nobody knows which prompt it answers: ${from} kept none`
  const parts = [
    ...unknown.map((part) => `its ${part}`),
    ...redacted.map((text) => `what stands for ${JSON.stringify(text)}`),
    ...(respelled ? ['the order of its properties'] : []),
  ]
  return `it was imported (${from}), and this does not count: ${parts.join(', ')}`
}
