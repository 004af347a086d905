import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Attempt } from '../../src/attempt/attempt.ts'
import { countedIn, countRequests } from '../../src/attempt/count-requests.ts'
import { declareParams } from '../../src/attempt/open-session.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printSealed } from '../../src/cassette/format.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { Params, usedParams } from '../../src/conversation/params.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { readText } from '../../src/wire/body.ts'
import { openIn } from './example-attempt.ts'
import { fetchIn } from '../replay/sealed-call.ts'

const outcome = { passed: true, now: new Date(), color: false }
const CHAT = 'https://api.openai.com/v1/chat/completions'

interface Asked {
  text: string
  url?: string
  headers?: Array<[string, string]>
}

type Values = Record<string, string | number>

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function bodyOf(text: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: text }] })
}

/** Writes the cassette of requests, each with its answer, as a recording would. */
function record(
  turns: ReadonlyArray<[Asked, string]>,
  { values = {}, redact = [] }: { values?: Values; redact?: RegExp[] } = {},
): void {
  const params = new Params(values)
  const made = turns.map(([{ text, url = CHAT, headers = [] }, said]) => {
    const known = new Headers(headers)
    const sent = wireRequest({ method: 'POST', url, headers: known, body: bodyOf(text) })
    const redactor = params.around(redactorFor(known, new URL(url), redact))
    const response = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readText(JSON.stringify({ choices: [{ message: { content: said } }] })),
    }
    return {
      incoming: readIncoming(redactor.request(sent)),
      response: redactor.response(response),
    }
  })
  const exchanges = describeTurns(made)
  const used = usedParams(exchanges, values)
  const { stored } = encodeCassette({
    conversationId: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(used ? { params: used } : {}),
    exchanges,
  })
  writeFileSync(join(folder, 'a.json'), printSealed(stored))
}

/** An attempt, and how often a session was opened for it. */
function open(options: CassetteOptions = {}, values: Values = {}, isSealed: boolean = true) {
  const { attempt, opened } = openIn(
    folder,
    options,
    isSealed ? {} : { openSealed: () => undefined },
  )
  if (Object.keys(values).length > 0) declareParams(attempt, values)
  return { attempt, opened }
}

async function ask(attempt: Attempt, { text, url = CHAT, headers = [] }: Asked): Promise<string> {
  const response = await fetchIn(attempt, url, { method: 'POST', headers, body: bodyOf(text) })
  const said = await response.text()
  if (!response.ok) return 'refused'
  return (JSON.parse(said) as { choices: Array<{ message: { content: string } }> }).choices[0]!
    .message.content
}

const RUN = '3f2b8c1e-5a61-4c1b-9f43-0a8f6b0c2d11'
const OTHER_RUN = 'aaaaaaaa-5a61-4c1b-9f43-0a8f6b0c2d11'

test.each<[string, string | number, string | number]>([
  ['a text', 'A-4711', 'B-0815'],
  ['a text that JSON escapes', 'M\u00fcller "Jr."', 'Ye\\e \u202e\u{1f600}'],
  ['a number', 4711, 8150],
])(
  'a parameter, %s, is replaced without a session, in request and response',
  async (_, old, now) => {
    const name = 'order'
    record([[{ text: `Where is ${old}?` }, `Here is ${old}.`]], { values: { [name]: old } })
    const { attempt, opened } = open({}, { [name]: now })
    expect(await ask(attempt, { text: `Where is ${now}?` })).toBe(`Here is ${now}.`)
    expect([await attempt.close(outcome), opened]).toEqual([{}, []])
  },
)

test('a volatile value is replaced without a session, and counted as forgiven', async () => {
  record([
    [{ text: `Run ${RUN} begins.` }, `Run ${RUN} has begun.`],
    [{ text: `Run ${RUN} ends.` }, 'Done.'],
  ])
  const { attempt, opened } = open({ volatile: ['uuid'] })
  expect(await ask(attempt, { text: `Run ${OTHER_RUN} begins.` })).toBe(
    `Run ${OTHER_RUN} has begun.`,
  )
  expect(await ask(attempt, { text: `Run ${OTHER_RUN} ends.` })).toBe('Done.')
  expect([await attempt.close(outcome), opened]).toEqual([{}, []])
  const counts = countRequests(countedIn(attempt), true)
  expect(counts.forgiven).toEqual([
    { rule: 'uuid', places: ['$.messages[*].content'], requests: 2 },
  ])
  expect(countRequests(attempt.session, true).forgiven).toEqual(counts.forgiven)
})

test('what a session takes over has the values of this run', async () => {
  record([
    [{ text: `Run ${RUN} begins.` }, `Run ${RUN} has begun.`],
    [{ text: 'Go on.' }, `Run ${RUN} goes on.`],
    [{ text: `End ${RUN}.` }, 'Done.'],
  ])
  const { attempt, opened } = open({ volatile: ['uuid'] })
  await ask(attempt, { text: `Run ${OTHER_RUN} begins.` })
  expect(await ask(attempt, { text: 'Stop.' })).toBe('refused')
  expect(await ask(attempt, { text: 'Go on.' })).toBe(`Run ${OTHER_RUN} goes on.`)
  expect(opened).toEqual(['session'])
  // One recorded value is one value of this run.
  expect(await ask(attempt, { text: `End ${OTHER_RUN.replace('a', 'b')}.` })).toBe('refused')
  expect(await ask(attempt, { text: `End ${OTHER_RUN}.` })).toBe('Done.')
})

test('a request in which no redaction rule finds anything is answered without a session', async () => {
  record([[{ text: 'Hello.' }, 'Hi.']])
  const { attempt, opened } = open({ redact: [/C-\d{6}/] })
  expect(await ask(attempt, { text: 'Hello.' })).toBe('Hi.')
  expect([await attempt.close(outcome), opened]).toEqual([{}, []])
})

/** What is recorded, what is asked in another run, and what an engine without hashes answers too. */
const CASES: Record<
  string,
  {
    recorded: Asked[]
    asked: Asked[]
    given: string[]
    values?: Values
    now?: Values
    options?: CassetteOptions
    env?: Record<string, string>
  }
> = {
  'a parameter, and an amount that has its digits': {
    recorded: [{ text: 'Order 4711 costs 4711.5.' }],
    values: { order: 4711 },
    now: { order: 4712 },
    asked: [{ text: 'Order 4712 costs 4712.5.' }],
    given: ['refused'],
  },
  'a value that became the literal placeholder of its parameter': {
    recorded: [{ text: 'Where is A-4711?' }],
    values: { order: 'A-4711' },
    now: { order: 'A-4712' },
    asked: [{ text: 'Where is {{order}}?' }],
    given: ['refused'],
  },
  'a literal placeholder that became the value of a parameter declared later': {
    recorded: [{ text: 'Where is {{order}}?' }],
    now: { order: 'A-4712' },
    asked: [{ text: 'Where is A-4712?' }],
    given: ['refused'],
  },
  'the value of a parameter of earlier times': {
    recorded: [{ text: 'Where is A-4711?' }],
    values: { order: 'A-4711' },
    asked: [{ text: 'Where is {{order}}?' }, { text: 'Where is A-4711?' }],
    given: ['refused', 'refused'],
  },
  'a changed volatile rule': {
    recorded: [{ text: 'Please pay order 5 for me.' }],
    options: { volatile: [/order \d+/] },
    asked: [{ text: 'Please pay invoice 7 for me.' }],
    given: ['refused'],
  },
  'one volatile value where two were recorded': {
    recorded: [{ text: `Move ${RUN} to ${OTHER_RUN}.` }],
    options: { volatile: ['uuid'] },
    asked: [{ text: `Move ${RUN} to ${RUN}.` }],
    given: ['refused'],
  },
  'two volatile values of one test, exchanged': {
    recorded: [{ text: `Open ${RUN}.` }, { text: `Close ${RUN}.` }],
    options: { volatile: ['uuid'] },
    asked: [{ text: `Open ${OTHER_RUN}.` }, { text: `Close ${RUN}.` }],
    given: ['answer 1', 'refused'],
  },
  'a later exchange that was asked word for word': {
    recorded: [{ text: `Open ${RUN}.` }, { text: `Open ${OTHER_RUN}.` }],
    options: { volatile: ['uuid'] },
    asked: [{ text: `Open ${OTHER_RUN}.` }],
    given: ['answer 2'],
  },
  'a literal placeholder of a redaction': {
    recorded: [{ text: 'Use acme-5f3e9a7712c4.' }],
    env: { ACME_API_KEY: 'acme-5f3e9a7712c4' },
    asked: [{ text: 'Use <REDACTED:ACME_API_KEY>.' }],
    given: ['refused'],
  },
  "another tenant's key": {
    recorded: [{ text: 'Use acme-5f3e9a7712c4.' }],
    env: { ACME_API_KEY: 'acme-5f3e9a7712c4' },
    asked: [{ text: 'Use acme-99999a7712c4.' }],
    given: ['refused'],
  },
  'a credential in the place of a volatile value': {
    recorded: [{ text: `Open ${RUN}.` }],
    options: { volatile: ['uuid'] },
    asked: [{ text: `Open ${OTHER_RUN}.`, headers: [['authorization', `Bearer ${OTHER_RUN}`]] }],
    given: ['refused'],
  },
  'a value of a new redaction rule': {
    recorded: [{ text: 'I am C-123456.' }],
    options: { redact: [/C-\d{6}/] },
    asked: [{ text: 'I am C-123456.' }],
    given: ['refused'],
  },
  'two lines of a header that is a set, exchanged': {
    recorded: [
      {
        text: 'Hi',
        headers: [
          ['prefer', 'a'],
          ['prefer', 'b'],
        ],
      },
    ],
    asked: [
      {
        text: 'Hi',
        headers: [
          ['prefer', 'b'],
          ['prefer', 'a'],
        ],
      },
    ],
    given: ['answer 1'],
  },
  'a byte of a parameter of the address that is no UTF-8': {
    recorded: [{ text: 'Hi', url: `${CHAT}?model=caf%E9` }],
    asked: [{ text: 'Hi', url: `${CHAT}?model=caf%E8` }],
    given: ['refused'],
  },
  'two lines of api-version, exchanged': {
    recorded: [{ text: 'Hi', url: `${CHAT}?api-version=1&api-version=2` }],
    asked: [{ text: 'Hi', url: `${CHAT}?api-version=2&api-version=1` }],
    given: ['refused'],
  },
}

test.each(Object.entries(CASES))('%s is answered as without hashes', async (_, one) => {
  const { recorded, asked, given, values, now, options, env = {} } = one
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  record(
    recorded.map((request, at) => [request, `answer ${at + 1}`]),
    { values },
  )
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toContain('"seal"')
  for (const isSealed of [true, false]) {
    const { attempt } = open(options, now, isSealed)
    const answers: string[] = []
    for (const request of asked) answers.push(await ask(attempt, request))
    expect(answers, isSealed ? 'by hash' : 'by the engine').toEqual(given)
  }
})
