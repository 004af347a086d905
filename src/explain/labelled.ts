import pc from 'picocolors'
import type { Incoming } from '../engine/incoming.ts'
import type { TestIdentity } from '../engine/session-contract.ts'
import type { Recorded } from '../engine/recorded.ts'
import { safe } from '../secrets/notes.ts'
import { disarm, printable, quoteStart } from '../text/printable.ts'

/** All failures are painted; `renderFailure` takes the colours off again. */
export const paint: ReturnType<typeof pc.createColors> = pc.createColors(true)

/** `test`, `cassette` and other labels in one column. */
export function labelled(label: string, text: string, color = true): string {
  return `  ${pc.createColors(color).dim(label.padEnd(9))} ${disarm(text)}`
}

/** The note on the cassette of a recording that is not saved. */
export const LEFT = ' (left as it was)'

/** The label of a request, with a note on it. */
export function labelRequest({ wire }: Incoming, note = ''): string {
  return labelled('request', printable(`${wire.method} ${wire.url}${note}`))
}

/** What asks, for people: a test, or a program with a cassette. */
export function askerOf({ optionsOf }: Pick<TestIdentity, 'optionsOf'>): 'test' | 'program' {
  return optionsOf === undefined || optionsOf === 'runner' ? 'test' : 'program'
}

/** The labels of a test and of its cassette. A program has no name but that of its cassette. */
export function labelTest(
  test: Pick<TestIdentity, 'id' | 'cassette' | 'optionsOf'>,
  note = '',
): string[] {
  const cassette = labelled('cassette', test.cassette + note)
  if (askerOf(test) === 'program') return [cassette]
  return [labelled('test', printable(test.id)), cassette]
}

/** One line for one exchange: its id, provider and model, and how its prompt begins. */
export function describeExchange({ exchange }: Recorded): string {
  const { model } = exchange.prompt.metadata
  const text = safe(exchange.prompt.text).replace(/\s+/g, ' ').trim()
  const asked = model === undefined ? '' : `${String(model)} · `
  return printable(`${exchange.id} · ${asked}${quoteStart(text)}`)
}
