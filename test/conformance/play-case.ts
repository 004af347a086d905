import { decodeCassette } from '../../src/cassette/decode.ts'
import { editedResponses, isEdited, printCassette } from '../../src/cassette/format.ts'
import type { StoredCassette } from '../../src/cassette/format/stored.ts'
import { isCountedHere } from '../../src/prompt/request-hash.ts'
import { refuseFile } from '../../src/cassette/format/refuse-file.ts'
import { type Cassette, isRecorded } from '../../src/cassette/cassette.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { Params } from '../../src/conversation/params.ts'
import { OF_BYTES, readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { Session } from '../../src/engine/session.ts'
import type { Miss, ReplayAnswer } from '../../src/engine/session-contract.ts'
import { CassetteError } from '../../src/errors.ts'
import { retriedAtOnce } from '../../src/transports/intercept/answer/beyond-replay.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { canBeWritten } from '../../src/features/hand-written.ts'
import { hashStoredRequests } from '../../src/recording/describe.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { writeBody } from '../../src/wire/body.ts'
import { SET_COOKIE, type WireResponse } from '../../src/wire/message.ts'
import { mcpRequest } from '../../src/wire/mcp-messages.ts'

/** One case of `conformance/cases`: the README.md there says what the members are. */
export interface Case {
  shows: string
  level: 'core' | 'values'
  cassette?: StoredCassette
  file?: string
  blobs?: Record<string, string>
  options?: {
    volatile?: string[]
    params?: Record<string, string | number>
    env?: Record<string, string>
    sample?: number
  }
  requests: Ask[]
  unreadable?: string
  unused?: string[]
  edited?: string[]
}

interface Ask {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string
  base64?: string
  after?: number
  expect: Expected
}

interface Expected {
  hash?: string
  refused?: string
  exchange?: string
  written?: true
  status?: number
  headers?: Record<string, string | string[]>
  body?: string
  base64?: string
  pieces?: number[]
  cut?: true
  aborted?: 'before-headers' | number
}

/** What a player makes of a case. */
export type Outcome =
  | { unreadable: string }
  | { expect: Expected[]; unused: string[]; edited: string[] }

const MEMBERS = 'shows level cassette file blobs options requests unreadable unused edited'
const OPTIONS = 'volatile params env sample'
const OF_REQUESTS = 'method url headers body base64 after expect'

const TEST = {
  id: 'a.test.ts > asks',
  cassette: '__recordings__/a.test.ts/asks-0123456789.json',
  blobs: '__recordings__/blobs',
  asked: 'node_modules/.cache/vitest-cassette/asked',
  recordCommand: 'npx record',
}

/** What a case says that a player makes of it. */
export function wantedOf({ requests, unreadable, unused = [], edited = [] }: Case): Outcome {
  if (unreadable !== undefined) return { unreadable }
  return { expect: requests.map((ask) => ask.expect), unused, edited }
}

/** What the engine makes of a case. Hashes are left out where the case names none. */
export function playCase(one: Case): Outcome {
  onlyKnown(one, MEMBERS)
  onlyKnown(one.options ?? {}, OPTIONS)
  const { cassette, file, blobs = {}, options = {}, requests } = one
  const text = file ?? printCassette(cassette!)
  let read: { stored: StoredCassette; cassette: Cassette }
  try {
    read = readFile(text, blobs)
  } catch (error) {
    const { cause } = error as Error
    if (typeof cause !== 'string') throw error
    return { unreadable: cause }
  }
  const session = openSession(options, () => read.cassette)
  const before = new Map<number, Incoming>()
  const expect = requests.map((ask, order): Expected => {
    onlyKnown(ask, OF_REQUESTS)
    const incoming = readIfSendable(ask, session, options.env ?? {}, before.get(ask.after ?? -1))
    if (!incoming) return { refused: 'not sent' }
    before.set(order, incoming)
    return answerOf(ask, incoming, session, order)
  })
  const unused = session.unused.map(({ exchange }) => exchange.id)
  return { expect, unused, edited: editedIn(text, read.stored, read.cassette) }
}

function answerOf(ask: Ask, incoming: Incoming, session: Session, order: number): Expected {
  try {
    const answer = session.answer(incoming, { order })
    if (answer.action === 'refuse') return { refused: whyRefused(answer.miss, session) }
    if (answer.action !== 'replay') throw new Error(`The engine decided on ${answer.action}`)
    const { hash } = ask.expect
    if (hash === undefined) return describe(answer, session)
    // The engine counts no more of it than a file stores.
    const isSame = hash.startsWith(incoming.hash)
    return { hash: isSame ? hash : incoming.hash, ...describe(answer, session) }
  } catch (error) {
    if (CassetteError.isInstance(error)) return { refused: error.code }
    throw error
  }
}

/** Throws for a member that would be ignored. */
function onlyKnown(value: object, names: string): void {
  const unknown = Object.keys(value).find((name) => !names.split(' ').includes(name))
  if (unknown !== undefined) throw new Error(`The case has a member that is unknown: ${unknown}`)
}

function readFile(
  text: string,
  blobs: Record<string, string>,
): { stored: StoredCassette; cassette: Cassette } {
  const stored = parseStored(text)
  const cassette = decodeCassette(stored, (name) => {
    const base64 = blobs[name]
    if (base64 === undefined) throw refuseFile(`its file blobs/${name} is missing`, 'file')
    return Buffer.from(base64, 'base64')
  })
  return { stored, cassette }
}

function openSession(
  { volatile = [], params = {}, env = {}, sample, ...order }: NonNullable<Case['options']>,
  load: () => Cassette,
): Session {
  const options = { ...order, volatile: volatile.map(readRule) }
  const config = resolveConfig(options, { ci: false, recordInCi: false })
  const session = new Session({ test: TEST, config, sample, load, rare: () => rareCases, env })
  // As `declare` does, which refuses values that are as short as those of the cases.
  session.params = new Params(params)
  return session
}

/** A rule of a case: an expression is spelled `/id-\d/g`. */
function readRule(rule: string): VolatileRule {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(rule) ?? []
  return source === undefined ? (rule as VolatileRule) : new RegExp(source, flags)
}

/** Reads a request; `undefined` where no client can send it, such as with a header of several lines. */
function readIfSendable(...args: Parameters<typeof readAsk>): Incoming | undefined {
  try {
    return readAsk(...args)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function readAsk(
  { method, url, headers = {}, body = '', base64, after }: Ask,
  { params, config }: Session,
  env: Record<string, string>,
  before?: Incoming,
): Incoming {
  const sent = new Headers(headers)
  const bytes = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64')
  const read = wireRequest({ method, url, headers: sent, body: new Uint8Array(bytes).buffer })
  if (url.startsWith('mcp:'))
    return readIncoming(mcpRequest(decodeURIComponent(new URL(url).host), JSON.parse(body)))
  const isBytes = method === 'SEND' && base64 !== undefined
  const wire = isBytes ? { ...read, headers: OF_BYTES } : read
  const redactor = params.around(redactorFor(sent, new URL(url), [], env))
  const asked = after === undefined ? wire : { ...wire, after: `exchange-${after + 1}` }
  return readIncoming(asked, { volatile: config.volatile, redact: redactor.request, before })
}

function describe({ response: recorded }: ReplayAnswer, { arrived }: Session): Expected {
  const response = retriedAtOnce(recorded)
  const { replayed } = arrived.at(-1)!
  const { id: exchange } = replayed!
  // Every player writes a hand-written answer in its own way.
  if (!isRecorded(replayed!)) return { exchange, written: true }
  const all = writeBody(response.body)
  const { aborted } = response
  const pieces =
    aborted === undefined ? all : all.slice(0, aborted === 'before-headers' ? 0 : aborted)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes)
  return {
    exchange,
    status: response.status,
    headers: headersOf(response),
    ...(isText ? { body: text } : { base64: bytes.toString('base64') }),
    ...(pieces.length > 1 ? { pieces: pieces.map(({ length }) => length) } : {}),
    ...(response.cut ? { cut: true } : {}),
    ...(aborted === undefined ? {} : { aborted }),
  }
}

/** The headers of a response, as a file has them: cookies came in several lines. */
function headersOf({ headers }: WireResponse): Record<string, string | string[]> {
  const cookies = headers[SET_COOKIE]?.split('\n')
  return cookies ? { ...headers, [SET_COOKIE]: cookies } : headers
}

function whyRefused({ reason, conflict, turn, incoming }: Miss, session: Session): string {
  if (reason === 'fault') return session.fault?.code === 'miss' ? 'params' : 'unreadable'
  if (session.samples) return 'sample'
  if (conflict) return 'volatile'
  if (turn) return 'turn'
  const isWritten = session.recorded.some((one) => one.incoming === undefined)
  if (isWritten && !canBeWritten(incoming)) return 'unsupported'
  return session.countAnswering(incoming) > 0 ? 'played' : 'unmatched'
}

/** What was edited since the hashes and the seal were written: `seal`, `hashes`, and the ids of exchanges. */
function editedIn(text: string, stored: StoredCassette, { exchanges }: Cassette): string[] {
  const seal = isEdited(stored, text) ? ['seal'] : []
  const { hashes } = stored
  if (hashes && hashes.length !== exchanges.length) return [...seal, 'hashes']
  const requests = hashStoredRequests(
    exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
  )
  const responses = editedResponses(stored)
  const edited = exchanges.flatMap(({ id }, at) => {
    const canonical = isCountedHere(stored) && hashes![at]!.split('.')[0]
    const isOther = canonical && canonical !== requests[at]
    return isOther || responses.includes(at) ? [id] : []
  })
  return [...seal, ...edited]
}
