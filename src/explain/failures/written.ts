import type { Exchange, PromptSummary } from '../../cassette/cassette.ts'
import { hashOfText, readHash } from '../../cassette/written.ts'
import { contextOf } from '../../conversation/context.ts'
import { quoteWord } from '../../text/command-line.ts'
import { safe } from '../../secrets/notes.ts'
import { printable, quoteStart } from '../../text/printable.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { hashOfQuestion, questionOf } from '../../conversation/step.ts'
import { canBeWritten, isTextOf } from '../../features/hand-written.ts'
import { promptFor } from '../../engine/read-prompt.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import { isRequestHash } from '../../prompt/request-hash.ts'

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
    ['asked', `${incoming.hash} ${quote(questionOf(promptFor(incoming)) ?? '')}`],
    ['or', `${hashOfQuestion(promptFor(incoming))}, which is of the text alone`],
  ]
}

/** The correction with which a hand-written exchange answers a request. */
export function adviseWriter(
  exchange: Exchange,
  incoming: Incoming,
  isRepeat: boolean,
  cassette: string,
): string {
  const { id, prompt } = exchange
  if (isRepeat)
    return (
      `If the test may ask once more, write another exchange into ${cassette},\n` +
      "or set the option repeats: 'last', which gives its last answer again."
    )
  if (!canBeWritten(incoming)) {
    const { method, url } = incoming.wire
    return `Only recorded answers can be replayed for ${printable(`${method} ${url}`)}.`
  }
  const field = wrongField(exchange, promptFor(incoming))
  const correction = `If the change is meant, correct the ${field} of ${id} in ${cassette}`
  return field.endsWith('hash')
    ? `${correction}, or leave the hash out: the text decides then.${adviseImport(prompt, cassette)}`
    : `${correction}, or write an exchange for it.`
}

/** The field of a hand-written exchange that differs from the request. */
function wrongField(exchange: Exchange, asked: Prompt): string {
  const { prompt } = exchange
  if (contextOf(exchange)) return 'context'
  const { hash: spelled = '' } = prompt
  const hash = readHash(spelled)
  if (hash === undefined && isRequestHash(spelled)) return 'hash'
  const isText = isTextOf(prompt, asked)
  if (hash === undefined) return isText ? 'metadata' : 'text'
  if (hash === hashOfQuestion(asked)) return 'metadata'
  return isText || hash !== hashOfText(prompt.text) ? 'hash' : 'text and the hash'
}

/** Only this package hashes whole requests, so a hash that is not of the text may come from another program. */
function adviseImport({ text, hash = '' }: PromptSummary, cassette: string): string {
  if (readHash(hash) === hashOfText(text)) return ''
  return (
    '\nIf another program wrote the file, this puts our hashes into it:\n' +
    `  npx vitest-cassette history import ${quoteWord(cassette)} --force`
  )
}

function quote(text: string): string {
  return printable(quoteStart(safe(text).replace(/\s+/g, ' ').trim()))
}
