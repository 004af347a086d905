import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { EndedRun } from '../src/runners/vitest/reporters/ended-run.ts'
import { CASSETTE, type Opened, type Setting } from './contestant.ts'
import {
  conversation,
  EVENTS,
  screenshots,
  singleCall,
  streamedCall,
  type ChatRequest,
  type Exchange,
} from './exchanges.ts'

/** The measurements of a process. */
export interface Measured {
  /** Milliseconds of each unit of work, in order. */
  times: number[]
  /** The error in the answers; the contestant is out. */
  wrong?: string
  /** A deviation from the recording that is no wrong answer. */
  note?: string
  /** Milliseconds of the closing, where it is part of the row. */
  closing?: number
  /** The peak memory of the process, in MB. */
  peak?: number
  /** CPU seconds: of the command and of all processes that it started, or of the thread that records. */
  cpu?: number
  /** The number of test files that the CPU seconds are of. */
  files?: number
  /** Milliseconds of a call of each kind, where a row compares kinds of calls. */
  kinds?: Record<string, number>
}

/** What a row may cost: a ratio to the floor, or a figure in the unit of the row. */
export interface Budget {
  /** The limit that holds. */
  gate?: number
  /** What the row is meant to reach. */
  goal?: number
}

export interface Workload extends Budget {
  title: string
  /** Who takes part, if not all. */
  contestants?: readonly string[]
  /** Whose time the ratios are to, if not the floor's. */
  against?: 'limit'
  /** Shown as what it is, since there is nothing to compare it with. */
  absolute?: boolean
  /** All recorded exchanges. Rows that do not close send the last one only with a changed prompt. */
  exchanges(): Exchange[]
  /** Those that a replay sends, if not all, or not as they were recorded. */
  asked?(): Exchange[]
  run(opened: Opened, exchanges: Exchange[], setting: Setting): Promise<Measured>
  /** Measures everything from the import of the tool, up to the last answer or until the tool is closed. */
  whole?: 'answered' | 'closed'
  /** Node's own fetch is not loaded before the clock starts. */
  coldFetch?: boolean
  /** Over how many cassettes the exchanges are spread, one opened after the other; one unless given. */
  cassettes?: number
  /** Records from a local provider. */
  records?: boolean
  /** How many other recordings lie in the folder. */
  neighbours?: number
  /** Measures the peak memory of the process in MB, instead of time. */
  memory?: boolean
}

const CALLS = { warmUp: 100, measured: 200 }

export const workloads: Record<string, Workload> = {
  call: {
    title: 'replayed call, 2 KB prompt, fetch',
    gate: 1.5,
    goal: 1.3,
    exchanges: () => calls(CALLS.warmUp + CALLS.measured + 1),
    run: (opened, exchanges) => oneByOne(exchanges, CALLS.warmUp, (asked) => ask(opened, asked)),
  },
  sdk: {
    title: 'the same through the openai SDK',
    gate: 1.25,
    goal: 1.1,
    exchanges: () => calls(CALLS.warmUp + CALLS.measured + 1),
    async run(opened, exchanges) {
      const { default: OpenAI } = await import('openai')
      const { fetch, baseUrl: baseURL } = opened
      const client = new OpenAI({ apiKey: KEY, baseURL, fetch, maxRetries: 0 })
      return oneByOne(exchanges, CALLS.warmUp, async ({ prompt }) => {
        const { choices } = await client.chat.completions.create(prompt as never)
        return choices[0]!.message.content!
      })
    },
  },
  reordered: {
    title: 'a call with its keys in another order',
    gate: 3,
    goal: 2,
    exchanges: () => calls(CALLS.warmUp + CALLS.measured + 1),
    asked: () => calls(CALLS.warmUp + CALLS.measured + 1).map(reordered),
    run: (opened, exchanges) => oneByOne(exchanges, CALLS.warmUp, (asked) => ask(opened, asked)),
  },
  mixed: {
    title: 'every fifth call with its keys in another order',
    exchanges: () => calls(CALLS.warmUp + CALLS.measured + 1),
    asked: () =>
      calls(CALLS.warmUp + CALLS.measured + 1).map((one, at) =>
        isFifth(at) ? reordered(one) : one,
      ),
    run: async (opened, exchanges) => {
      const measured = await oneByOne(exchanges, CALLS.warmUp, (asked) => ask(opened, asked))
      const [fifths, others] = [true, false].map((one) =>
        median(measured.times.filter((_, at) => isFifth(at) === one)),
      )
      return { ...measured, times: [0.2 * fifths! + 0.8 * others!] }
    },
  },
  thousandth: {
    title: 'the 1,000th call, against the limit',
    gate: 1.15,
    goal: 1.05,
    against: 'limit',
    exchanges: () => calls(1_001),
    run: (opened, exchanges) => oneByOne(exchanges, 900, (asked) => ask(opened, asked)),
  },
  stream: {
    title: 'stream of 201 events, boundaries kept',
    goal: 1.2,
    exchanges: () => Array.from({ length: 41 }, (_, index) => streamedCall(index)),
    async run(opened, exchanges) {
      const chunks = new Set<number>()
      const measured = await oneByOne(exchanges, 20, (asked) => askStreamed(opened, asked, chunks))
      const kept = chunks.size === 1 && chunks.has(EVENTS)
      return kept ? measured : { ...measured, note: 'joins events' }
    },
  },
  conversation: {
    title: '50-turn conversation to 400 KB, per turn',
    gate: 1.4,
    goal: 1.2,
    exchanges: () => [
      ...conversation('warm-up', 20, 4_000),
      ...conversation('the talk', 50, 4_000),
      singleCall(0, 100),
    ],
    run: (opened, exchanges) => oneByOne(exchanges, 20, (asked) => ask(opened, asked)),
  },
  threads: {
    title: 'two such conversations by turns, per turn',
    gate: 1.4,
    goal: 1.2,
    exchanges: () => [
      ...conversation('warm-up', 20, 4_000),
      ...byTurns(conversation('one talk', 50, 4_000), conversation('another', 50, 4_000)),
      singleCall(0, 100),
    ],
    run: (opened, exchanges) => oneByOne(exchanges, 20, (asked) => ask(opened, asked)),
  },
  screenshots: {
    title: '1 MB screenshot in each turn',
    gate: 1.5,
    goal: 1.2,
    exchanges: () => [
      ...screenshots('warm-up', 2),
      ...screenshots('the talk', 8),
      singleCall(0, 100),
    ],
    run: (opened, exchanges) => oneByOne(exchanges, 2, (asked) => ask(opened, asked)),
  },
  flight: {
    title: '100 calls in flight, ending in the recorded order',
    gate: 2,
    goal: 1.7,
    exchanges: () => calls(501),
    run: inFlight,
  },
  first: {
    title: 'one cassette, load and first call',
    gate: 1.8,
    goal: 1.4,
    whole: 'closed',
    exchanges: () => calls(1),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  import: {
    title: 'one cassette, load and first call, in a process without fetch',
    goal: 2,
    whole: 'closed',
    coldFetch: true,
    exchanges: () => calls(1),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  neighbours: {
    title: '5,000 cassettes present, one used, in a process without fetch',
    goal: 2,
    neighbours: 5_000,
    whole: 'answered',
    coldFetch: true,
    exchanges: () => calls(2),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  many: {
    title: '100 cassettes, each load and first call',
    gate: 1.8,
    goal: 1.4,
    whole: 'closed',
    cassettes: 100,
    exchanges: () => calls(100),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  large: {
    title: 'one cassette of 25 MB, load and first call',
    gate: 0.4,
    goal: 0.25,
    whole: 'answered',
    exchanges: () => Array.from({ length: 250 }, (_, index) => singleCall(index, 97_400)),
    asked: () => [0, 249].map((index) => singleCall(index, 97_400)),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  streams: {
    title: '60 streams of 201 events, with load and closing',
    gate: 1.5,
    goal: 1.3,
    whole: 'closed',
    exchanges: () => Array.from({ length: 60 }, (_, index) => streamedCall(index)),
    run: (opened, exchanges) =>
      oneByOne(exchanges, 0, (asked) => askStreamed(opened, asked, new Set())),
  },
  recording: {
    title: 'recording a call, against calling directly',
    goal: 1.2,
    records: true,
    exchanges: () => calls(101),
    run: (opened, exchanges) => oneByOne(exchanges, 40, (asked) => ask(opened, asked)),
  },
  recorded: {
    title: 'recording 200 calls, with load and closing',
    gate: 1.5,
    goal: 1.25,
    records: true,
    whole: 'closed',
    exchanges: () => calls(200),
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
  waiting: {
    title: 'recording 50 calls, 20 ms after each other, with load and closing',
    goal: 1.2,
    records: true,
    whole: 'closed',
    exchanges: () => calls(50),
    run: (opened, exchanges) =>
      oneByOne(exchanges, 0, async (asked) => {
        const text = await ask(opened, asked)
        await setTimeout(20)
        return text
      }),
  },
  anew: {
    title: '1,000 exchanges counted anew on CI',
    contestants: ['vitest-cassette'],
    absolute: true,
    gate: 40,
    goal: 40,
    exchanges: () => calls(1_000),
    async run(_opened, _exchanges, { folder }) {
      const countAnew = await loadCountAnew()
      const started = performance.now()
      const wrong = countAnew(folder)
      return { times: [performance.now() - started], ...(wrong ? { wrong } : {}) }
    },
  },
  memory: {
    title: 'peak memory of a replaying worker',
    goal: 1.25,
    memory: true,
    exchanges: () => [...conversation('the talk', 50, 4_000), singleCall(0, 100)],
    run: (opened, exchanges) => oneByOne(exchanges, 0, (asked) => ask(opened, asked)),
  },
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** An invented key, long enough to be taken for a real one. */
export const KEY = 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz'

const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` }

/** A request that means the same, with its keys in another order. */
function reordered(exchange: Exchange): Exchange {
  const { messages, ...rest } = exchange.prompt
  return { ...exchange, prompt: { messages, ...rest } }
}

function isFifth(at: number): boolean {
  return at % 5 === 4
}

function byTurns(one: Exchange[], other: Exchange[]): Exchange[] {
  return one.flatMap((exchange, turn) => [exchange, other[turn]!])
}

function calls(count: number): Exchange[] {
  return Array.from({ length: count }, (_, index) => singleCall(index, 1_400))
}

/** Loads what the process of a run does on CI: it counts the hashes of a replayed cassette anew. */
async function loadCountAnew(): Promise<(folder: string) => string | undefined> {
  const [{ tellWrongHashes }, { preloadParts }, { resolveConfig }] = await Promise.all([
    import('../src/runners/vitest/reporters/tell-wrong-hashes.ts'),
    import('../src/real/load-later.ts'),
    import('../src/config/resolved-config.ts'),
  ])
  await preloadParts()
  return (folder) => {
    const config = { ...resolveConfig({}, { ci: true, recordInCi: false }), dir: '.' }
    const ofRun = { root: folder, roots: new Set([folder]), config }
    const meta = { replayed: 1_000, cassette: join(folder, CASSETTE) }
    const run = { asked: [{ project: '', meta }], folders: new Map([[folder, ofRun]]) }
    return tellWrongHashes(run as unknown as EndedRun)
  }
}

/** Sends all exchanges but the last, one after the other. */
async function oneByOne(
  exchanges: Exchange[],
  warmUp: number,
  ask: (exchange: Exchange) => Promise<string>,
): Promise<Measured> {
  const times: number[] = []
  for (const exchange of exchanges.slice(0, -1)) {
    const started = performance.now()
    const text = await ask(exchange)
    times.push(performance.now() - started)
    if (text !== exchange.text) return { times, wrong: `answered ${text.slice(0, 60)}` }
  }
  return { times: times.slice(warmUp) }
}

/** Sends batches of 100 calls at once, and measures the time per call. */
async function inFlight(opened: Opened, exchanges: Exchange[]): Promise<Measured> {
  const times: number[] = []
  for (let from = 0; from + 100 < exchanges.length; from += 100) {
    const batch = exchanges.slice(from, from + 100)
    const started = performance.now()
    const texts = await Promise.all(batch.map((exchange) => ask(opened, exchange)))
    times.push((performance.now() - started) / batch.length)
    const wrong = batch.find(({ text }, index) => text !== texts[index])
    if (wrong) return { times, wrong: `did not answer ${wrong.text.slice(0, 60)}` }
  }
  return { times: times.slice(2) }
}

/** Posts a prompt. */
export function post({ fetch, baseUrl }: Opened, prompt: ChatRequest): Promise<Response> {
  const body = JSON.stringify(prompt)
  return fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body })
}

async function ask(opened: Opened, { prompt }: Exchange): Promise<string> {
  const response = await post(opened, prompt)
  const answer = (await response.json()) as { choices?: [{ message: { content: string } }] }
  return answer.choices?.[0].message.content ?? JSON.stringify(answer)
}

/** Reads an answer chunk by chunk, and adds how many there were to `counts`. */
async function askStreamed(
  opened: Opened,
  { prompt }: Exchange,
  counts: Set<number>,
): Promise<string> {
  const response = await post(opened, prompt)
  const decoder = new TextDecoder()
  let text = ''
  let left = ''
  let chunks = 0
  for await (const chunk of response.body!) {
    chunks++
    const events = (left + decoder.decode(chunk, { stream: true })).split('\n\n')
    left = events.pop()!
    for (const event of events) text += deltaOf(event)
  }
  counts.add(chunks)
  return text
}

function deltaOf(event: string): string {
  if (!event.startsWith('data: {')) return ''
  const { choices } = JSON.parse(event.slice(6)) as { choices?: [{ delta: { content?: string } }] }
  return choices?.[0].delta.content ?? ''
}
