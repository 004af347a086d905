import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attempt } from '../../src/attempt/attempt.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { keepAskingHeaders } from '../../src/providers/asking-headers.ts'
import { hostOn, layers } from '../../src/transports/layers.ts'
import { readText } from '../../src/wire/body.ts'
import { keepUrl } from '../../src/wire/url.ts'
import { times } from '../effort.ts'
import { openExample, recorded } from '../engine/example-session.ts'
import { fetchIn } from './sealed-call.ts'

/** A request as a client sends it. */
interface Sent {
  url: string
  headers: Array<[name: string, value: string]>
  body: string
}

const words = fc.constantFrom(
  'Pay',
  '4711',
  '4711.5',
  'order 7',
  'order 8',
  '3f2b8c1e-5a61-4c1b-9f43-0a8f6b0c2d11',
  '{{order}}',
  '{{=order}}',
  '<REDACTED:NAME>',
  '<REDACTED:=NAME>',
  '{"$":"prompt"}',
  '{"$each":["a"]}',
  'caf\u00e9',
  '\u202e',
  '\ud83d\ude00',
  'call_1',
  'call_2',
  '2026-01-01T00:00:00Z',
)
const number = fc.constantFrom('1', '1.0', '0.10', '0.1', '9007199254740993', '-0', '1e2')
const texts = fc.array(words, { maxLength: 3 }).map((all) => JSON.stringify(all.join(' ')))
const value: fc.Arbitrary<string> = fc.oneof(texts, number, fc.constantFrom('true', 'null', '[]'))
const key = fc.constantFrom('temperature', 'metadata', 'seed', 'tools', '$each', '$$', 'user', 'n')
const fields = fc.array(fc.tuple(key, value), { maxLength: 3 })

/** Spelled with white space or without, in an order of its own, perhaps with a key twice. */
const body = fc
  .tuple(texts, fields, fc.boolean(), fc.boolean(), fc.option(words))
  .map(([text, more, isSpaced, isFirst, id]) => {
    const call = id ? `,{"role":"tool","tool_call_id":${JSON.stringify(id)},"content":${text}}` : ''
    const messages = `"messages":[{"role":"user","content":${text}}${call}]`
    const members = ['"model":"gpt-5"', messages, ...more.map(([name, one]) => `"${name}":${one}`)]
    const ordered = isFirst ? members : members.toReversed()
    return isSpaced ? `{ ${ordered.join(', ')} }\n` : `{${ordered.join(',')}}`
  })

const url = fc
  .tuple(
    fc.constantFrom('https://api.openai.com', 'https://eu.api.openai.com', 'https://x.test:8443'),
    fc.subarray([
      'model=a',
      'model=b',
      'key=k1',
      'key=k2',
      'q=caf%E9',
      'q=caf%E8',
      'q=a+b',
      'q=a%20b',
    ]),
  )
  .map(
    ([host, query]) =>
      `${host}/v1/chat/completions${query.length > 0 ? `?${query.join('&')}` : ''}`,
  )

const headers = fc.subarray<[string, string]>([
  ['Authorization', 'Bearer one'],
  ['prefer', 'a, b'],
  ['Prefer', 'b, a'],
  ['accept', 'application/json'],
  ['Accept', 'text/markdown'],
  ['anthropic-beta', 'a,b'],
  ['anthropic-version', '2023-06-01'],
  ['x-stainless-os', 'Linux'],
  ['x-goog-api-version', 'v1'],
])

const sent: fc.Arbitrary<Sent> = fc.record({ url, headers, body })

function same(one: Sent): Sent {
  return one
}

/** An edit of a request: of one part, or of two that stand beside each other. */
const edit = fc.oneof(
  { weight: 12, arbitrary: fc.constant(same) },
  body.map((other) => (one: Sent) => ({ ...one, body: other })),
  url.map((other) => (one: Sent) => ({ ...one, url: other })),
  headers.map((other) => (one: Sent) => ({ ...one, headers: other })),
  fc.constantFrom(
    (one: Sent) => ({ ...one, body: `${one.body} ` }),
    (one: Sent) => ({ ...one, body: JSON.stringify(JSON.parse(one.body)) }),
    (one: Sent) => ({ ...one, body: one.body.replace('7', '8') }),
    (one: Sent) => ({ ...one, body: one.body.replaceAll('4711', '4712') }),
    (one: Sent) => ({ ...one, body: one.body.replace('caf\u00e9', 'caf\\u00e9') }),
    (one: Sent) => ({ ...one, body: one.body.replace('call_1', 'call_3') }),
    (one: Sent) => ({ ...one, headers: one.headers.toReversed() }),
  ),
)

/** What was recorded, and what is asked: recorded requests, most of them edited. */
const scenes = fc
  .array(sent, { minLength: 1, maxLength: 4 })
  .chain((all) =>
    fc.tuple(
      fc.constant(all.flatMap((one, at) => (at % 2 ? [one, one] : [one]))),
      fc.array(fc.tuple(fc.nat(5), edit), { minLength: 1, maxLength: 6 }),
    ),
  )

const options: CassetteOptions[] = [
  {},
  { unordered: false },
  { repeats: 'last' },
  { repeats: 'cycle' },
  { volatile: ['uuid', 'iso-datetime'] },
  { redact: [/4711/] },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'same-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function save(
  name: string,
  all: readonly Sent[],
  volatile: CassetteOptions['volatile'],
): Promise<void> {
  const turns = all.map(({ url, headers, body }, at): [ReturnType<typeof readIncoming>, string] => {
    const kept = keepAskingHeaders(new Headers(headers), () => 'digest', url)
    const wire = {
      method: 'POST',
      url: keepUrl(new URL(url), (one) => one),
      ...kept,
      body: readText(body),
    }
    return [readIncoming(wire, { volatile: volatile as never }), `exchange ${at + 1}`]
  })
  await new CassetteStore(folder, '.', 1e9).save(name, recorded(...turns))
}

function open(path: string, given: CassetteOptions, isSealed: boolean) {
  const config = resolveConfig({ dir: '.', ...given }, { ci: false, recordInCi: false })
  const host = hostOn(layers)
  const owner = {
    root: folder,
    test: () => openExample(undefined).test,
    path: () => path,
    hasCassette: () => true,
    shown: (one: string) => one,
  }
  const attempt = new Attempt(
    owner,
    config,
    isSealed ? host : { ...host, openSealed: () => undefined },
  )
  return attempt
}

async function ask(attempt: Attempt, { url, headers, body }: Sent): Promise<string> {
  const init = { method: 'POST', headers, body }
  const response = await fetchIn(attempt, url, init)
  const text = await response.text()
  return /exchange \d+/.exec(text)?.[0] ?? `refused (${response.status})`
}

test.for(options)(
  'whatever is answered by its hash, the engine answers with the same exchange: %j',
  { timeout: times(60_000, 1_200_000) },
  async (given) => {
    let byHash = 0
    let cassettes = 0
    await fc.assert(
      fc.asyncProperty(scenes, async ([all, requests]) => {
        const path = `${(cassettes += 1)}.json`
        await save(path, all, given.volatile)
        const fast = open(path, given, true)
        const engine = open(path, given, false)
        for (const [at, change] of [[0, same] as const, ...requests]) {
          const request = change(all[at % all.length]!)
          const wanted = await ask(engine, request)
          const before = fast.sealed?.played.length ?? 0
          expect(await ask(fast, request)).toBe(wanted)
          if ((fast.sealed?.played.length ?? 0) > before) byHash++
        }
      }),
      // Each tries several edits: 20,000 of them at night.
      { numRuns: times(40, 1_200), interruptAfterTimeLimit: times(1_500, 600_000) },
    )
    // Else it proves nothing.
    if (!given.redact) expect(byHash).toBeGreaterThan(times(0, 1_000))
  },
)
