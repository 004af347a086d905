import type { Exchange } from '../cassette/format/cassette.ts'
import { printable, quoteStart } from '../diff/render/printable.ts'
import type { Incoming } from '../engine/incoming.ts'
import { canBeWritten, isTextOf, textAsked } from '../engine/rare/hand-written.ts'
import { promptFor } from '../engine/reading/read-prompt.ts'

/** Why an exchange with the text of a request does not answer it. */
export function reasonOf({ id }: Exchange, incoming: Incoming): string {
  if (canBeWritten(incoming)) return `The hash of ${id} is not that of the prompt`
  return `${id} is written by hand, and in this format no answer can be written`
}

/** The hash that a person wrote and the one of the request, each with its text. */
export function describeHashes(
  { prompt }: Exchange,
  incoming: Incoming,
): Array<[label: string, text: string]> {
  if (prompt.hash === undefined) return []
  return [
    ['written', `${prompt.hash} ${quote(prompt.text)}`],
    ['asked', `${incoming.hash} ${quote(textAsked(promptFor(incoming)) ?? '')}`],
  ]
}

/** What a person corrects so that their exchange answers a request. */
export function adviseWriter(
  { id, prompt }: Exchange,
  incoming: Incoming,
  isRepeat: boolean,
  cassette: string,
): string {
  if (isRepeat) return `If the test may ask once more, write another exchange into ${cassette}.`
  if (!canBeWritten(incoming)) {
    const { method, url } = incoming.wire
    return `Only what was recorded can be replayed for ${printable(`${method} ${url}`)}.`
  }
  const said = isTextOf(prompt, promptFor(incoming)) ? 'metadata' : 'text'
  const field = prompt.hash === undefined ? said : 'hash'
  const correction = `If the change is meant, correct the ${field} of ${id} in ${cassette}`
  return prompt.hash === undefined
    ? `${correction}, or write an exchange for it.`
    : `${correction}, or leave the hash out: the text decides then.`
}

function quote(text: string): string {
  return printable(quoteStart(text.replace(/\s+/g, ' ').trim()))
}
