import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecorded, type Cassette, type Exchange } from '../../src/cassette/cassette.ts'
import { cassettePath, conversationId } from '../../src/cassette/paths.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { verify } from '../../src/tools/verify/verify-cassettes.ts'
import { writeBody } from '../../src/wire/body.ts'
import { CliProject } from '../tools/run-cli.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { anthropicWire, chatWire } from '../conversation/example-wires.ts'
import { requestsOf } from '../providers/sample-requests.ts'
import { samples as all } from '../providers/samples/index.ts'
import { streamedFormOf } from '../providers/streamed-form.ts'
import { answer } from '../providers/wire.ts'

const EXAMPLES = ['answer-agent', 'screen-agent'].map((name) =>
  join(import.meta.dirname, `../../examples/${name}`),
)

/** Gemini's socket has one of the things in a frame that its sample has all in one, in an order that is not kept. */
const samples = all.filter(({ dialect }) => dialect !== 'gemini-live')

/** The commands that show what a cassette says; dates and figures among it. */
const COMMANDS = [
  ['show', '--json'],
  ['show', '--full'],
  ['show', '--format', 'json'],
  ['show', '--format', 'markdown'],
  ['show', '--stats', '--json'],
  ['params'],
  ['history', 'export', '--store', 'stored', '--full'],
]

/** A project with the cassettes of all dialects, of agents and of the examples. */
export class MutatedProject extends CliProject {
  readonly store: CassetteStore = new CassetteStore(this.root, '__recordings__', 1e9)
  files: string[] = []
  blobs: string[] = []

  async fill(): Promise<void> {
    for (const [name, cassette] of Object.entries({ ...recorded(), ...(await examples()) })) {
      const place = { file: 'a.test.ts', titles: [name], ordinal: 0 }
      writeFileSync(join(this.root, place.file), '')
      await this.store.save(cassettePath(place), {
        ...cassette,
        conversationId: conversationId(place),
      })
    }
    this.files = this.store.list()
    this.blobs = readdirSync(join(this.root, '__recordings__/blobs'))
  }

  read(file: string): string {
    return readFileSync(join(this.root, '__recordings__', file), 'utf8')
  }

  write(file: string, content: string | Uint8Array): void {
    const path = join(this.root, '__recordings__', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }

  move(from: string, to: string): void {
    const [one, other] = [from, to].map((file) => join(this.root, '__recordings__', file))
    renameSync(one!, other!)
  }

  remove(file: string): void {
    rmSync(join(this.root, '__recordings__', file), { force: true })
  }

  /** What `verify` says of the file, or of the whole folder, apart from answers that are cut on purpose. */
  async findings(file?: string): Promise<string[]> {
    const isMeant = file === undefined ? undefined : (path: string): boolean => path === file
    const { findings } = await verify(this.store, this.root, isMeant)
    return findings
      .filter(({ check }) => check !== 'broken-answers')
      .map(({ check, file: path, place, problem }) => `${check} ${path} ${place} ${problem}`)
  }

  /** All that anybody sees of a cassette: what replay gives, and what the commands print. */
  async view(file: string): Promise<string> {
    const cassette = this.store.load(file)
    const replayed = cassette?.exchanges.map(replayOf)
    const printed = []
    for (const words of COMMANDS) printed.push(await this.run(...words, file))
    rmSync(join(this.root, 'stored'), { recursive: true, force: true })
    return JSON.stringify({ cassette, replayed, printed })
  }
}

function replayOf(exchange: Exchange): unknown {
  if (!isRecorded(exchange)) return exchange
  const { request, response } = exchange.wire
  const pieces = writeBody(response.body).map((piece) => Buffer.from(piece).toString('hex'))
  return { hash: readIncoming(request).hash, ...response, pieces }
}

function recorded(): Record<string, Cassette> {
  const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(900)])
  const turns = ['one', 'two'].map((name) => ({
    question: `question ${name}`,
    arguments: { name, list: [1, 2.5, null] },
    result: `result ${name} `.repeat(30),
    answer: `answer ${name} `.repeat(30),
    screenshot: picture.toString('base64'),
  }))
  const head = { conversationId: '', timestamp: '2026-01-02T03:04:05.000Z' }
  const plain = samples.map((sample) => {
    const request = requestsOf(sample)[0]![1]
    return { incoming: readIncoming(request), response: answer(sample.plain), durationMs: 5 }
  })
  const streams = samples.flatMap((sample): Turn[] => {
    if (!sample.events) return []
    const request = { ...requestsOf(sample)[0]![1], headers: { 'anthropic-beta': 'a, b' } }
    const response = streamedFormOf(sample).streamed(...sample.events)
    return [{ incoming: readIncoming(request), response: { ...response, cut: true } }]
  })
  const handshake = readIncoming({
    method: 'GET',
    url: 'wss://api.openai.com/v1/realtime',
    body: { kind: 'empty' },
  })
  const frame = { ...handshake.wire, method: 'SEND', body: { kind: 'text' as const, text: 'hi' } }
  const socket = [handshake, readIncoming(frame, { before: handshake })].map((incoming) => ({
    incoming,
    response: answer({ type: 'session.created' }),
  }))
  return {
    chat: {
      ...recordAgent(chatWire, turns),
      params: { name: 'one' },
      proposedParams: { order: 7 },
    },
    stream: recordAgent(chatWire, turns, { stream: true }),
    window: recordAgent(anthropicWire, turns, { stream: true, window: 3 }),
    ...Object.fromEntries(
      plain.map((turn, index) => [`plain ${index}`, { ...head, exchanges: describeTurns([turn]) }]),
    ),
    streams: { ...head, exchanges: describeTurns(streams) },
    socket: { ...head, oldestAnswer: '2025-01-02T03:04:05.000Z', exchanges: describeTurns(socket) },
  }
}

/** The committed examples, as if they were recorded today. */
async function examples(): Promise<Record<string, Cassette>> {
  const found: Record<string, Cassette> = {}
  for (const root of EXAMPLES) {
    const store = new CassetteStore(root, '__recordings__', 1e9)
    for (const path of store.list()) {
      const cassette = store.load(path)!
      found[path] = cassette
    }
  }
  return found
}
