import { expect, test, vi } from 'vitest'
import { judgePlainly } from '../../src/attempt/closing/judge-plainly.ts'
import { judgeWhole } from '../../src/explain/judge-secrets.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import type { Mode } from '../../src/config/mode.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { Session } from '../../src/engine/session.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { assembleCassette } from '../../src/recording/assemble.ts'
import { redactorFor, type Redactor } from '../../src/secrets/redactor.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { textOf } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { coded } from '../golden.ts'

const URL_ASKED = 'https://api.openai.com/v1/chat/completions'
const NOW = new Date('2026-01-01T00:00:00Z')

type Redact = CassetteOptions['redact']

interface Asked {
  session: Session
  redactor: Redactor
  env: Record<string, string>
}

function open(mode: Mode, redact: Redact, cassette?: Cassette, env = {}): Asked {
  const config = resolveConfig(
    { mode, ...(redact ? { redact } : {}) },
    { ci: false, recordInCi: false },
  )
  const test = {
    id: 'a.test.ts > asks',
    cassette: '__recordings__/a.test.ts/asks-0123456789.json',
    blobs: '__recordings__/blobs',
    asked: 'node_modules/.cache/vitest-cassette/asked',
    recordCommand: 'npx record',
  }
  const session = new Session({ test, config, load: () => cassette, rare: () => rareCases, env })
  const redactor = redactorFor([], new URL(URL_ASKED), session.config.redact, env, session)
  return { session, redactor, env }
}

let order = 0

/** What is answered to a prompt: a text; the action where nothing is replayed. While recording, `said` is the answer. */
function ask({ session, redactor }: Asked, prompt: string, said?: string): string {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] })
  const sent = wireRequest({
    method: 'POST',
    url: URL_ASKED,
    headers: new Headers({ 'content-type': 'application/json' }),
    body,
  })
  const isPlain = session.config.redact.length === 0
  const incoming = isPlain
    ? readIncoming(sent, { redact: (wire) => redactor.request(wire) })
    : readIncoming(redactor.request(sent))
  const answer = session.answer(incoming, { order: order++ })
  if (answer.action === 'replay') return contentOf(textOf(answer.response.body))
  if (answer.action !== 'record') return answer.action
  const text = JSON.stringify({ choices: [{ message: { role: 'assistant', content: said } }] })
  answer.recording.response = redactor.response({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readBody(Buffer.from(text), 'application/json'),
  })
  return said!
}

function contentOf(text: string): string {
  const { choices } = JSON.parse(text) as { choices: [{ message: { content: string } }] }
  return choices[0].message.content
}

function record(
  redact: Redact,
  calls: Array<[prompt: string, said: string]>,
  old?: Cassette,
): Cassette {
  const asked = open(old ? 'new' : 'all', redact, old)
  for (const [prompt, said] of calls) ask(asked, prompt, said)
  return assembleCassette(asked.session, NOW)!
}

function promptsOf({ exchanges }: Cassette): string[] {
  return exchanges.map(({ prompt }) => prompt.text)
}

const RULES = { customer: /C-\d{6}/ }
const BOTH: [string, string] = [
  'Compare C-111111 with C-222222.',
  'C-222222 is older than C-111111.',
]

test('the values of a rule are numbered by first appearance in the cassette', () => {
  const cassette = record(RULES, [BOTH, ['And C-222222?', 'Yes.'], ['And C-333333?', 'No.']])
  expect(promptsOf(cassette)).toEqual([
    'Compare <REDACTED:customer.1> with <REDACTED:customer.2>.',
    'And <REDACTED:customer.2>?',
    'And <REDACTED:customer.3>?',
  ])
  expect(cassette.exchanges[0]!.response.text).toBe(
    '<REDACTED:customer.2> is older than <REDACTED:customer.1>.',
  )
  expect(JSON.stringify(cassette)).not.toContain('C-1')
})

test('a value that is named twice in the place of another is seen, and so is one of another exchange', () => {
  const cassette = record(RULES, [BOTH, ['And C-222222?', 'Yes.']])
  const twice = open('replay', RULES, cassette)
  expect(ask(twice, 'Compare C-111111 with C-111111.')).toBe('refuse')
  const other = open('replay', RULES, cassette)
  expect(ask(other, BOTH[0])).toBe(BOTH[1])
  expect(ask(other, 'And C-111111?')).toBe('refuse')
  expect(other.session.misses[0]!.conflict).toBeDefined()
})

test('a response has the values of this run', () => {
  const cassette = record(RULES, [BOTH, ['And C-222222?', 'C-222222, yes.']])
  const run = open('replay', RULES, cassette)
  expect(ask(run, 'Compare C-444444 with C-555555.')).toBe('C-555555 is older than C-444444.')
  expect(ask(run, 'And C-555555?')).toBe('C-555555, yes.')
  expect(run.session.misses).toEqual([])
})

test('requests in another order have the same numbers', () => {
  const cassette = record(RULES, [
    ['First C-111111', 'C-111111'],
    ['Then C-222222', 'C-222222'],
  ])
  const run = open('replay', RULES, cassette)
  expect(ask(run, 'Then C-222222')).toBe('C-222222')
  expect(ask(run, 'First C-111111')).toBe('C-111111')
})

test('a value that only a response had can be sent back', () => {
  const said = 'Ask C-999999.'
  const cassette = record(RULES, [
    ['Whom?', said],
    [`You said: ${said}`, 'Yes.'],
  ])
  const run = open('replay', RULES, cassette)
  const given = ask(run, 'Whom?')
  expect(given).toBe('Ask <REDACTED:customer.1>.')
  expect(ask(run, `You said: ${given}`)).toBe('Yes.')
})

test('what is recorded beside a recording has its numbers', () => {
  const old = record(RULES, [BOTH])
  const fresh = record(RULES, [BOTH, ['And C-222222 and C-333333?', 'C-333333.']], old)
  expect(promptsOf(fresh)).toEqual([
    'Compare <REDACTED:customer.1> with <REDACTED:customer.2>.',
    'And <REDACTED:customer.2> and <REDACTED:customer.3>?',
  ])
})

test('a check sees another value, and a value that nobody guesses has one', () => {
  const checked = { customer: { match: /C-\d{6}/, check: 8 }, session: /s_\w{24}/ }
  const [one, other] = ['s_Zk3vQ9xB7tR2mN8pL4wY6hJd', 's_Qw8rT2yU5iP9aS3dF6gH1jKl']
  const calls: Array<[string, string]> = [
    ['Is C-111111 fine?', 'Yes.'],
    [`In ${one}?`, 'Yes.'],
  ]
  const cassette = record(checked, calls)
  expect(promptsOf(cassette)[0]).toMatch(/^Is <REDACTED:customer\.1 [\da-f]{2}> fine\?$/)
  expect(promptsOf(cassette)[1]).toMatch(/^In <REDACTED:session\.1 [\da-f]{12}>\?$/)
  expect(ask(open('replay', checked, cassette), 'Is C-111112 fine?')).toBe('refuse')
  expect(ask(open('replay', checked, cassette), `In ${other}?`)).toBe('refuse')
  const run = open('replay', checked, cassette)
  expect(calls.map(([prompt]) => ask(run, prompt))).toEqual(['Yes.', 'Yes.'])
})

test.for([
  ['<REDACTED:OPENAI_API_KEY>', '<REDACTED:=OPENAI_API_KEY>'],
  ['<REDACTED:=X> and <REDACTED:customer.1>', '<REDACTED:==X> and <REDACTED:=customer.1>'],
])('the text %s is kept as a text', ([text, stored]) => {
  for (const redact of [undefined, RULES]) {
    const cassette = record(redact, [[`Say ${text}`, `So: ${text}`]])
    expect(promptsOf(cassette)).toEqual([`Say ${stored}`])
    const run = open('replay', redact, cassette)
    expect(ask(run, `Say ${text}`)).toBe(`So: ${text}`)
  }
})

test('a text that looks like a placeholder is not equal to one', () => {
  const env = { OPENAI_API_KEY: 'sk-Zk3vQ9xB7tR2mN8pL4wY6hJd' }
  const asked = open('all', undefined, undefined, env)
  ask(asked, `Say ${env.OPENAI_API_KEY}`, 'No.')
  const cassette = assembleCassette(asked.session, NOW)!
  expect(promptsOf(cassette)).toEqual(['Say <REDACTED:OPENAI_API_KEY>'])
  expect(ask(open('replay', undefined, cassette, env), `Say ${env.OPENAI_API_KEY}`)).toBe('No.')
  expect(ask(open('replay', undefined, cassette, env), 'Say <REDACTED:OPENAI_API_KEY>')).toBe(
    'refuse',
  )
  const ofRule = record(RULES, [['Is C-111111 fine?', 'Yes.']])
  expect(ask(open('replay', RULES, ofRule), 'Is <REDACTED:customer.1> fine?')).toBe('refuse')
})

test('a credential that is kept counts', () => {
  const env = { TENANT_API_KEY: 'acme-corporation-4' }
  const keep = { keep: ['TENANT_API_KEY'] }
  const asked = open('all', keep, undefined, env)
  ask(asked, `You work for ${env.TENANT_API_KEY}`, 'Yes.')
  const cassette = assembleCassette(asked.session, NOW)!
  expect(promptsOf(cassette)).toEqual(['You work for acme-corporation-4'])
  expect(ask(open('replay', keep, cassette, env), 'You work for acme-corporation-4')).toBe('Yes.')
  const other = { TENANT_API_KEY: 'globex-corporation-4' }
  expect(ask(open('replay', keep, cassette, other), 'You work for globex-corporation-4')).toBe(
    'refuse',
  )
})

test('a rule that takes prose for data is refused with what it would swallow', () => {
  const swallow = { all: (text: string) => [text] }
  const prose = 'Please tell the customer that her parcel has been on its way since yesterday.'
  expect(() => ask(open('replay', swallow), prose)).toThrow(coded('invalid-option'))
})

test('a credential of the environment that is kept does not withdraw the recording', async () => {
  for (const redact of [{ keep: ['TENANT_KEY'] }, [{ keep: ['TENANT_KEY'] }]]) {
    vi.stubEnv('TENANT_KEY', 'zQ7pX2mKv9LtR4wBn8YcD1')
    vi.stubEnv('OTHER_TOKEN', 'zQ7pX2mKv9LtR4wBn8YcD1')
    const env = { TENANT_KEY: 'zQ7pX2mKv9LtR4wBn8YcD1', OTHER_TOKEN: 'zQ7pX2mKv9LtR4wBn8YcD1' }
    const asked = open('all', redact, undefined, env)
    ask(asked, 'I am zQ7pX2mKv9LtR4wBn8YcD1.', 'Hello, zQ7pX2mKv9LtR4wBn8YcD1.')
    const { session } = asked
    session.asked[0]!.recording!.durationMs = 1
    const outcome = { passed: true, now: NOW, color: false }
    for (const verdict of [judgePlainly(session, outcome), await judgeWhole(session, outcome)])
      expect(verdict).toMatchObject({
        save: { exchanges: [{ prompt: { text: 'I am zQ7pX2mKv9LtR4wBn8YcD1.' } }] },
      })
  }
})
