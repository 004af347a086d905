import { editedParts, hashAnswer } from '../../cassette/parse.ts'
import { isRecorded, type Cassette, type Exchange } from '../../cassette/cassette.ts'
import { hashesOf } from '../../cassette/decode.ts'
import type { OpenedCassette } from '../../cassette/reader.ts'
import { quoteWord } from '../../text/command-line.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { DIR_OPTION } from '../sources/cassette-folders.ts'
import { placeOf, Sources } from '../sources/source.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { invalidCommand } from '../terminal/options.ts'
import { hashStoredRequests } from '../../recording/describe.ts'

/** Marks recordings that know no headers. Everything else in their prompts still counts. */
export const older: Command = defineCommand({
  name: 'older',
  usage: '<name…>',
  summary:
    'let recordings without headers, by an older release or another program, answer whatever the headers are',
  options: DIR_OPTION,
  async run(positionals, values, terminal) {
    if (positionals.length === 0)
      throw invalidCommand(
        'Say which cassettes: a path, or a piece of the path or of the title of the test.\n' +
          '  npx vitest-cassette older refunds',
      )
    const sources = new Sources(values, terminal)
    const counts = { exchanges: 0, cassettes: 0 }
    for (const source of sources.open(positionals)) {
      const { store, path } = placeOf(source, terminal)
      const opened = store.open(path)!
      const { cassette } = opened
      const shown = store.display(path)
      const unknown = cassette.exchanges.filter(hasUnknownHeaders)
      const known = namesOf(cassette.exchanges.filter(({ wire }) => wire?.request.headers))
      if (unknown.length === 0) {
        if (cassette.exchanges.some(({ wire }) => wire?.request.older))
          terminal.write(`${layOutLine(shown)}: marked already\n`)
        else sources.report(`${shown}: ${whyNone(known)}`)
        continue
      }
      const edited = findEdit(opened)
      if (edited !== undefined) {
        sources.report(
          `${shown}: ${edited} was edited beside the headers, so nothing is marked. To see what:\n` +
            `  npx vitest-cassette verify ${quoteWord(shown)}`,
        )
        continue
      }
      await store.save(path, mark(cassette))
      counts.cassettes++
      counts.exchanges += unknown.length
      const kept = known === '' ? '' : `; the headers of ${known} still count`
      terminal.write(
        `${layOutLine(shown)}\n` +
          layOutLine(`  ${cassette.conversationId}: ${namesOf(unknown)}${kept}`) +
          '\n',
      )
    }
    const { exchanges, cassettes } = counts
    terminal.write(
      `Marked ${countOf(exchanges, 'exchange')} of ${countOf(cassettes, 'cassette')}.` +
        (exchanges > 0
          ? ' Whatever changes beside the headers still fails; a new recording brings them in.\n'
          : '\n'),
    )
    return sources.code
  },
})

function hasUnknownHeaders({ wire }: Exchange): boolean {
  return wire !== undefined && !wire.request.headers && !wire.request.older
}

function whyNone(names: string): string {
  if (names === '') return 'no request is recorded in it.'
  return `the headers of ${names} are recorded, so they count. If they changed, record the test again with RECORD=1.`
}

function namesOf(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ id }) => id).join(', ')
}

function mark(cassette: Cassette): Cassette {
  const marked = cassette.exchanges.map((exchange): Exchange => {
    if (!hasUnknownHeaders(exchange)) return exchange
    const { request, ...answered } = exchange.wire!
    return {
      ...exchange,
      wire: { ...answered, request: { ...request, older: 'headers' } },
    } as Exchange
  })
  const hashes = hashesIn(marked)
  const exchanges = marked.map((exchange, index): Exchange => {
    const hash = hashes[index]
    if (hash === undefined) return exchange
    return { ...exchange, prompt: { ...exchange.prompt, hash } } as Exchange
  })
  return { ...cassette, exchanges }
}

function hashesIn(exchanges: readonly Exchange[]): Array<string | undefined> {
  return hashStoredRequests(exchanges.map(({ id, wire }) => ({ id, request: wire?.request })))
}

/**
 * The part of a file whose hash shows an edit that a missing header does not explain. New hashes would hide it. The
 * hash of a prompt that had headers fits no more without them, and neither does that of its file.
 */
function findEdit({ stored, cassette: { exchanges } }: OpenedCassette): string | undefined {
  const hashes = hashesIn(exchanges)
  let isStripped = false
  for (const [index, exchange] of exchanges.entries()) {
    if (!exchange.wire) continue
    const { prompt, answer } = hashesOf(stored, stored.exchanges[index]!)
    const isChanged = prompt !== hashes[index]
    if (isChanged && !hasUnknownHeaders(exchange)) return `the prompt of ${exchange.id}`
    if (isChanged) isStripped = true
    const isAnswer = isRecorded(exchange) && answer !== undefined
    if (isAnswer && answer !== hashAnswer(exchange.wire.response))
      return `the answer of ${exchange.id}`
  }
  const parts = editedParts(stored)
  if (parts.includes('head')) return 'the head'
  return parts.includes('exchanges') && !isStripped ? 'an exchange' : undefined
}
