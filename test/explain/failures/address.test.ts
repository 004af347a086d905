import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  adviseOnBaseUrl,
  adviseOnEnvFile,
  explainAddress,
} from '../../../src/explain/failures/address.ts'
import { explainMiss } from '../as-reported.ts'
import { readIncoming, type Incoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import type { WireRequest } from '../../../src/wire/message.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

const at = (url: string): WireRequest => ({ method: 'POST', url, body: { kind: 'empty' } })
const OPENAI = 'https://api.openai.com/v1/chat/completions'
const LOCAL = 'http://localhost:4010/v1/chat/completions'

test('where a request went instead is said with the variable that set it', async () => {
  const env = { OPENAI_BASE_URL: 'http://localhost:4010/v1', OTHER_URL: 'http://localhost:5000/v1' }
  const set = explainAddress(at(OPENAI), at(LOCAL), env)
  expect(namedIn(set)).toEqual([OPENAI, LOCAL, 'OPENAI_BASE_URL'])
  const unset = explainAddress(at(LOCAL), at(OPENAI), env)
  expect(namedIn(unset)).toEqual([LOCAL, OPENAI])
  await expectGolden(`${set}\n\n${unset}`, 'set-by-a-variable-and-not')
})

/** The addresses and the variables that a text names, in its order. */
function namedIn(text: string): string[] {
  return text.match(/https?:[^\s,]+(?=[.,\s])|\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []
}

const LLM = 'https://llm.example.com'
const ANTHROPIC = 'https://api.anthropic.com/v1/messages'
const GEMINI =
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent'

test.for<
  [what: string, recorded: string, asked: string, env: Record<string, string>, advice: string]
>([
  ['of OpenAI', `${LLM}/v1/chat/completions`, OPENAI, {}, `OPENAI_BASE_URL=${LLM}/v1`],
  [
    'below a path',
    `${LLM}/openai/v1/chat/completions`,
    OPENAI,
    {},
    `OPENAI_BASE_URL=${LLM}/openai/v1`,
  ],
  [
    'of another way',
    `${LLM}/v1/responses`,
    'https://api.openai.com/v1/responses',
    {},
    `OPENAI_BASE_URL=${LLM}/v1`,
  ],
  ['of Anthropic', `${LLM}/v1/messages`, ANTHROPIC, {}, `ANTHROPIC_BASE_URL=${LLM}`],
  [
    'of Gemini',
    GEMINI.replace(/^.*(?=\/v1beta)/, LLM),
    GEMINI,
    {},
    `GOOGLE_GEMINI_BASE_URL=${LLM}`,
  ],
  [
    'of Groq',
    `${LLM}/openai/v1/chat/completions`,
    'https://api.groq.com/openai/v1/chat/completions',
    {},
    `GROQ_BASE_URL=${LLM}`,
  ],
  [
    'of Mistral',
    `${LLM}/v1/chat/completions`,
    'https://api.mistral.ai/v1/chat/completions',
    {},
    `MISTRAL_BASE_URL=${LLM}`,
  ],
  ['of Cohere', `${LLM}/v2/chat`, 'https://api.cohere.com/v2/chat', {}, `CO_API_URL=${LLM}`],
  [
    'that has another value',
    `${LLM}/v1/chat/completions`,
    LOCAL,
    { LLM_URL: 'http://localhost:4010/v1' },
    `LLM_URL=${LLM}/v1`,
  ],
  [
    'that is set to the default',
    `${LLM}/v1/chat/completions`,
    OPENAI,
    { OPENAI_BASE_URL: 'https://api.openai.com/v1' },
    `OPENAI_BASE_URL=${LLM}/v1`,
  ],
  [
    'that is set here alone',
    OPENAI,
    LOCAL,
    { OPENAI_BASE_URL: 'http://localhost:4010/v1' },
    'unset OPENAI_BASE_URL.',
  ],
  [
    'that is set here alone, of Anthropic',
    ANTHROPIC,
    `${LLM}/v1/messages`,
    { ANTHROPIC_BASE_URL: LLM },
    'unset ANTHROPIC_BASE_URL.',
  ],
  [
    'of its own name that is set here',
    OPENAI,
    LOCAL,
    { LLM_URL: 'http://localhost:4010/v1' },
    'LLM_URL=https://api.openai.com/v1',
  ],
  ['that nobody knows', OPENAI, LOCAL, {}, ' https://api.openai.com/v1 '],
  ['that nobody knows, of another host', `${LLM}/v1/chat/completions`, LOCAL, {}, ` ${LLM} `],
])('the variable %s comes first', ([, one, other, env, advice]) => {
  const text = adviseOnBaseUrl(at(one), at(other), env)
  expect(advice.endsWith(' ') ? text.includes(advice) : text.endsWith(advice), text).toBe(true)
  // One that is set here is named once more, as it may be meant.
  const [name] = /[A-Z]+(?:_[A-Z]+)+/.exec(advice) ?? []
  const times = (advice.includes('=') ? 2 : 1) + Object.keys(env).length
  expect(namedIn(text).filter((one) => one === name)).toHaveLength(name ? times : 0)
})

test('the way back to an address is said as what led away from it was: a variable, another one, or none', async () => {
  const recordedAt = at(`${LLM}/v1/chat/completions`)
  const here = { OPENAI_BASE_URL: 'http://localhost:4010/v1' }
  const texts = {
    'not set': adviseOnBaseUrl(recordedAt, at(OPENAI), {}),
    'set here': adviseOnBaseUrl(recordedAt, at(LOCAL), here),
    'set here alone': adviseOnBaseUrl(at(OPENAI), at(LOCAL), here),
    'that nobody knows': adviseOnBaseUrl(at(OPENAI), at(LOCAL), {}),
  }
  const all = Object.entries(texts).map(([title, text]) => `${title}\n${text}`)
  await expectGolden(all.join('\n\n'), 'ways-back')
})

test('one place is not spoken of, whatever its port', () => {
  const env = { OPENAI_BASE_URL: 'http://localhost:4010/v1' }
  expect(explainAddress(at(OPENAI), at(OPENAI), env)).toBe('')
  expect(explainAddress(at(LOCAL.replace('4010', '5000')), at(LOCAL), env)).toBe('')
})

test('a failure says it', () => {
  const asked = question('Hello')
  const session = openExample(recorded([asked, 'Hi']))
  const elsewhere: Incoming = readIncoming({
    ...at(LOCAL),
    body: readText(
      JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }),
    ),
  })
  const answer = session.answer(elsewhere, { order: 1 })
  expect(answer.action).toBe('refuse')
  const { details, cause } = explainMiss(session, session.misses[0]!, false)
  const [hint, unlisted, ways] = details.split('\n\n').slice(-3)
  expect(hint).toBe(
    `${explainAddress(asked.wire, elsewhere.wire)}\n${adviseOnBaseUrl(asked.wire, elsewhere.wire)}`,
  )
  expect(unlisted).toContain("'localhost:4010'")
  // The cheapest first.
  expect(ways!.match(/ record .*'$/gm)).toEqual([
    " record --prompts a.test.ts -t '^asks$'",
    " record a.test.ts -t '^asks$'",
  ])
  expect(cause!.keeps).toBe(true)
})

test('where more differs than the address, it does not say that the address is all', () => {
  const session = openExample(recorded([question('Hello'), 'Hi']))
  const { body } = question('Hello, you').wire
  const elsewhere = readIncoming({ ...at(LOCAL), body })
  session.answer(elsewhere, { order: 1 })
  const { details } = explainMiss(session, session.misses[0]!, false)
  const [hint, unlisted, ...more] = details.split('\n\n').slice(3, -1)
  expect(hint).toBe(explainAddress(question('Hello').wire, elsewhere.wire))
  expect(unlisted).toContain("'localhost:4010'")
  expect(more).toEqual([])
})

test('a variable that .env sets, and Vitest leaves unread, is named with the line for the config', async () => {
  const there = { OPENAI_BASE_URL: `${LLM}/v1/`, OPENAI_API_KEY: 'sk-a' }
  const recordedAt = at(`${LLM}/v1/chat/completions`)
  const advice = adviseOnEnvFile(recordedAt, at(OPENAI), {}, there)
  expect(namedIn(advice)[0]).toBe('OPENAI_BASE_URL')
  expect(advice).toContain(`test: { env: { OPENAI_BASE_URL: '${LLM}/v1' } }`)
  await expectGolden(advice, 'env-file')
  expect(adviseOnEnvFile(recordedAt, at(OPENAI), there, there)).toBe('')
  expect(adviseOnEnvFile(at(OPENAI), at(OPENAI), {}, there)).toBe('')
})

test('where the config sets the variable to the address that is asked, .env is no advice: the gateway moved', () => {
  const there = { OPENAI_BASE_URL: `${LLM}/v1` }
  const here = { OPENAI_BASE_URL: 'http://localhost:4010/v1' }
  const recordedAt = at(`${LLM}/v1/chat/completions`)
  expect(adviseOnEnvFile(recordedAt, at(LOCAL), here, there)).toBe('')
  // It is named as one that may be meant, and as the one to set back: golden/explain-address/ways-back.txt.
  const advice = adviseOnBaseUrl(recordedAt, at(LOCAL), here)
  expect(advice.match(/OPENAI_BASE_URL/g)).toHaveLength(3)
})

test('a failure that .env explains offers no recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'env-file-'))
  writeFileSync(join(folder, '.env'), `OPENAI_BASE_URL=${LOCAL.replace('/chat/completions', '')}\n`)
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
  const asked = question('Hello')
  const session = openExample(recorded([readIncoming({ ...asked.wire, url: LOCAL }), 'Hi']))
  session.answer(asked, { order: 1 })
  const { details, cause } = explainMiss(session, session.misses[0]!, false)
  expect(details.split('\n\n').at(-1)).toMatch(/\.env.*\n {2}test: \{ env: \{ OPENAI_BASE_URL:/)
  expect(details).not.toMatch(/RECORD|vitest-cassette record/)
  // Nor does the text of all tests with this cause.
  expect(cause!.group).toBe('error')
})
