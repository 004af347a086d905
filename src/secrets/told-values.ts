import { shared } from '../real/shared.ts'
import type { KnownValue } from './known-values.ts'

/** The header by which a child tells the gateway the credentials in its own environment. It goes no further. */
export const TOLD_HEADER = 'x-vitest-cassette-known'

/** What children have told, each value once. */
export const toldValues = shared('told-values', Array) as KnownValue[]

/** Notes what the header of a request tells. */
export function noteTold(header: string | undefined): void {
  if (header === undefined) return
  const text = Buffer.from(header, 'base64').toString()
  for (const one of JSON.parse(text) as KnownValue[])
    if (!toldValues.some(({ value }) => value === one.value)) toldValues.push(one)
}

/** The header of what is known. */
export function spellTold(known: readonly KnownValue[]): string {
  return Buffer.from(JSON.stringify(known)).toString('base64')
}
