import { decodeCassette, hashesOf } from '../../src/cassette/decode.ts'
import { printCassette, type StoredCassette } from '../../src/cassette/format.ts'
import { editedParts, hashAnswer } from '../../src/cassette/parse.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { Session } from '../../src/engine/session.ts'
import type { Miss, ReplayAnswer } from '../../src/engine/session-contract.ts'
import { CassetteError } from '../../src/errors.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { OF_BYTES, PROTOCOLS } from '../../src/engine/session/framing.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { writeBody } from '../../src/wire/body.ts'
import type { Ask, Case, Expected, Outcome } from './case.ts'

const ENVIRONMENT = { ci: false, recordInCi: false }

const TEST = {
  id: 'a.test.ts > asks',
  cassette: '__recordings__/a.test.ts/asks-0123456789.json',
  blobs: '__recordings__/blobs',
  asked: 'node_modules/.cache/vitest-cassette/asked',
  recordCommand: 'npx record',
}

/** What the engine makes of a case, in the form in which the case says what it expects. */
export function askEngine({ cassette, file, blobs = {}, ...asked }: Case): Outcome {
  let read: Read
  try {
    read = readFile(file ?? printCassette(cassette), blobs)
  } catch (error) {
    return { unreadable: reasonOf(error as Error), expected: [] }
  }
  return { ...askAll(read.cassette, asked), edited: editedIn(read) }
}

/** What the engine answers to the requests of a case. */
export function askAll(
  cassette: Cassette,
  { options = {}, requests }: Pick<Case, 'options' | 'requests'>,
): Pick<Outcome, 'expected' | 'unused'> {
  const session = openSession(options, () => cassette)
  const { env = {} } = options
  const before = new Map<number, Incoming>()
  const expected = requests.map((ask, order): Expected => {
    const incoming = readAsk(
      ask,
      session,
      env,
      ask.after === undefined ? undefined : before.get(ask.after),
    )
    before.set(order, incoming)
    const answer = session.answer(incoming, { order })
    const { hash } = incoming
    if (answer.action === 'replay') return { hash, ...describe(answer, session) }
    if (answer.action !== 'refuse') throw new Error(`The engine decided on ${answer.action}`)
    return { hash, refused: whyRefused(answer.miss, session) }
  })
  return { expected, unused: session.unused.map(({ exchange }) => exchange.id) }
}

function openSession(
  { volatile = [], params = {}, env = {}, ...order }: NonNullable<Case['options']>,
  load: () => Cassette | undefined,
): Session {
  const config = resolveConfig({ ...order, volatile: volatile as VolatileRule[] }, ENVIRONMENT)
  const session = new Session({ test: TEST, config, load, rare: () => rareCases, env })
  session.declare(params)
  return session
}

interface Read {
  stored: StoredCassette
  cassette: Cassette
}

function readFile(text: string, blobs: Record<string, string>): Read {
  const stored = parseStored(text)
  const cassette = decodeCassette(stored, (name) => {
    const base64 = blobs[name]
    if (base64 === undefined)
      throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
    return Buffer.from(base64, 'base64')
  })
  return { stored, cassette }
}

/** A request as the engine reads it, without a cassette. */
export function readAlone(ask: Ask, options: Case['options'] = {}): Incoming {
  return readAsk(
    ask,
    openSession(options, () => undefined),
    options.env ?? {},
  )
}

function readAsk(
  ask: Ask,
  { params, config }: Session,
  env: Record<string, string>,
  before?: Incoming,
): Incoming {
  const { method, url, headers = {}, body = '' } = ask
  const sent = new Headers(headers)
  if (method === 'GET' && url.startsWith('ws') && !sent.has(PROTOCOLS)) sent.set(PROTOCOLS, '')
  const bytes = ask.base64 === undefined ? Buffer.from(body) : Buffer.from(ask.base64, 'base64')
  const read = wireRequest({ method, url, headers: sent, body: new Uint8Array(bytes).buffer })
  const isBytes = method === 'SEND' && ask.base64 !== undefined
  const wire = isBytes ? { ...read, headers: OF_BYTES } : read
  const redactor = params.around(redactorFor(sent, new URL(url), [], env))
  const asked = ask.after === undefined ? wire : { ...wire, after: `exchange-${ask.after + 1}` }
  return readIncoming(asked, { volatile: config.volatile, redact: redactor.request, before })
}

function describe({ response }: ReplayAnswer, { arrived }: Session): Expected {
  const { replayed } = arrived.at(-1)!
  const { id: exchange } = replayed!
  // Every player writes a hand-written answer in its own way.
  if (!isRecorded(replayed!)) return { exchange, written: true }
  const pieces = writeBody(response.body)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes)
  return {
    exchange,
    status: response.status,
    headers: response.headers,
    ...(isText ? { body: text } : { base64: bytes.toString('base64') }),
    ...(pieces.length > 1 ? { pieces: pieces.map(({ length }) => length) } : {}),
    ...(response.cut ? { cut: true } : {}),
    ...(response.aborted === undefined ? {} : { aborted: response.aborted }),
  }
}

function whyRefused({ reason, conflict, turn, incoming }: Miss, session: Session): string {
  if (reason === 'fault') return session.fault?.code === 'miss' ? 'params' : 'unreadable'
  if (conflict) return 'volatile'
  if (turn) return 'turn'
  return session.countAnswering(incoming) > 0 ? 'played' : 'unmatched'
}

/** The words of the specification for the reasons for which a file is not read. */
const REASONS: ReadonlyArray<[reason: string, said: RegExp]> = [
  ['json', /is not JSON|merge conflict|levels deep|not UTF-8/],
  ['version', /version/],
  ['ids', /are both called/],
  ['reference', /leads nowhere|leads to where|steps to follow|larger than/],
  ['blob', /blob/],
  ['body', /holds something|not hold together|is none$/],
  ['field', /^at \//],
]

function reasonOf({ message }: Error): string {
  return REASONS.find(([, said]) => said.test(message))?.[0] ?? message
}

function editedIn({ stored, cassette }: Read): string[] {
  const answers = cassette.exchanges.flatMap((exchange, index) => {
    const { answer } = hashesOf(stored, stored.exchanges[index]!)
    const isEdited = isRecorded(exchange) && answer && answer !== hashAnswer(exchange.wire.response)
    return isEdited ? [exchange.id] : []
  })
  return [...editedParts(stored), ...answers]
}
