// Measures the size of a conversation on disk against its unique content, and the time to save and to load it.
import { performance } from 'node:perf_hooks'
import { decodeCassette } from '../src/cassette/decode.ts'
import { encodeCassette } from '../src/cassette/encode.ts'
import type { Cassette } from '../src/cassette/cassette.ts'
import { parseCassette } from '../src/cassette/parse.ts'
import { printCassette } from '../src/cassette/format.ts'
import { Matcher } from '../src/engine/match.ts'
import { findBase64 } from '../src/prompt/base64.ts'
import { jsonOf, textOf } from '../src/wire/body.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json/json-value.ts'
import {
  recordAgent,
  type AgentOptions,
  type AgentTurn,
  type AgentWire,
} from '../test/conversation/example-agent.ts'
import { agentWires, chatWire } from '../test/conversation/example-wires.ts'

const COUNTS = [10, 50, 200]

/** Different words in every turn, so that turns share only the messages that are sent again. */
function prose(length: number, seed: string): string {
  let text = ''
  for (let index = 0; text.length < length; index++)
    text += `${(Math.imul(index + 1, 2_654_435_761) >>> 0).toString(36)}-${seed} `
  return text.slice(0, length)
}

function turnsOf(count: number, kind: 'results' | 'files' | 'chat' | 'screens'): AgentTurn[] {
  return Array.from({ length: count }, (_, turn) => ({
    question: prose(kind === 'chat' ? 8_000 : 200, `q${turn}`),
    arguments:
      kind === 'files'
        ? { path: `src/file-${turn}.ts`, content: prose(15_000, `f${turn}`) }
        : { path: `src/file-${turn}.ts` },
    result: prose(kind === 'results' ? 15_200 : 60, `r${turn}`),
    answer: prose(kind === 'chat' ? 8_000 : 400, `a${turn}`),
    ...(kind === 'screens' ? { screenshot: pictureOf(turn) } : {}),
  }))
}

function pictureOf(turn: number): string {
  const head = Buffer.from('89504e470d0a1a0a0000', 'hex')
  return Buffer.concat([head, Buffer.alloc(1_048_576, `picture ${turn} `)]).toString('base64')
}

/** The bytes of unique content: each message, answer and long text once, and each picture decoded. */
function uniqueBytes(cassette: Cassette): number {
  const seen = new Set<string>()
  let bytes = 0
  const isNew = (text: string): boolean => !seen.has(text) && seen.add(text) !== undefined
  const add = (value: JsonValue): void => {
    const text = JSON.stringify(value, (_, child) => {
      if (typeof child !== 'string' || child.length < 256) return child
      const content = findBase64(child)
      if (isNew(child))
        bytes += content ? Buffer.byteLength(content.base64, 'base64') : Buffer.byteLength(child)
      return ''
    })
    if (isNew(text)) bytes += Buffer.byteLength(text)
  }
  for (const { wire } of cassette.exchanges) {
    const body = jsonOf(wire.request.body)
    for (const field of isJsonObject(body ?? null) ? Object.values(body as JsonObject) : [])
      for (const item of Array.isArray(field) ? field : [field]) add(item)
    const answer = jsonOf(wire.response.body)
    if (answer !== undefined) add(answer)
    else if (isNew(textOf(wire.response.body))) bytes += textOf(wire.response.body).length
  }
  return bytes
}

function measure(wire: AgentWire, kind: Parameters<typeof turnsOf>[1], options: AgentOptions) {
  return COUNTS.filter((count) => kind !== 'screens' || count <= 50).map((count) => {
    const cassette = recordAgent(wire, turnsOf(count / 2, kind), options)
    const sent = Buffer.byteLength(textOf(cassette.exchanges.at(-1)!.wire.request.body))
    const saveStart = performance.now()
    const { stored, blobs } = encodeCassette(cassette, 'schema')
    const text = printCassette(stored)
    const saveMs = performance.now() - saveStart
    const blobBytes = [...blobs.values()].reduce((sum, { length }) => sum + length, 0)
    const bytes = Buffer.byteLength(text) + blobBytes
    const loadStart = performance.now()
    const loaded = decodeCassette(parseCassette(text), (name) => blobs.get(name)!)
    const loadMs = performance.now() - loadStart
    const hashStart = performance.now()
    const matcher = new Matcher(loaded, [])
    const hashMs = performance.now() - hashStart
    if (matcher.unused.some(({ exchange, incoming }) => exchange.prompt.hash !== incoming.hash))
      throw new Error('a hash differs')
    return { count, sent, bytes, ratio: bytes / uniqueBytes(cassette), saveMs, loadMs, hashMs }
  })
}

/** The exponent with which a figure grows with the number of turns. */
function exponent(rows: Array<{ count: number }>, figure: (row: never) => number): string {
  const [first, last] = [rows[0] as never, rows.at(-1) as never]
  const turns = Math.log(rows.at(-1)!.count / rows[0]!.count)
  return (Math.log(figure(last) / figure(first)) / turns).toFixed(2)
}

type Case = [name: string, AgentWire, Parameters<typeof turnsOf>[1], AgentOptions]

const everyCase: Case[] = [
  ...agentWires.flatMap((wire) =>
    (['results', 'files', 'chat'] as const).flatMap((kind) =>
      [false, true].map((stream): Case => [
        `${wire.name} ${kind}${stream ? ' streamed' : ''}`,
        wire,
        kind,
        { stream },
      ]),
    ),
  ),
  ['openai-chat results, window of 12', chatWire, 'results', { window: 12 }],
  ['openai-chat screenshots', chatWire, 'screens', {}],
]

// A pattern on the command line chooses among them; all of them take two minutes.
const wanted = new RegExp(process.argv[2] ?? '^openai-chat|^anthropic-messages results')
const cases = everyCase.filter(([name]) => wanted.test(name))
// A first run warms the compiler up.
measure(chatWire, 'chat', {})

console.log('| conversation | exchanges | last request | on disk | ÷ unique | save | load | hash |')
console.log('|---|--:|--:|--:|--:|--:|--:|--:|')
for (const [name, wire, kind, options] of cases) {
  const rows = measure(wire, kind, options)
  for (const { count, sent, bytes, ratio, saveMs, loadMs, hashMs } of rows) {
    const size = (value: number): string => `${(value / 1_000).toFixed(0)} KB`
    const time = (value: number): string => `${value.toFixed(1)} ms`
    const cells = [name, count, size(sent), size(bytes), ratio.toFixed(2)]
    console.log(`| ${[...cells, ...[saveMs, loadMs, hashMs].map(time)].join(' | ')} |`)
  }
  const growth = [
    exponent(rows, (row: { bytes: number }) => row.bytes),
    exponent(rows, (row: { saveMs: number }) => row.saveMs),
    exponent(rows, (row: { loadMs: number }) => row.loadMs),
    exponent(rows, (row: { hashMs: number }) => row.hashMs),
  ]
  console.log(`| *exponent* | | | ${growth[0]} | | ${growth.slice(1).join(' | ')} |`)
}
