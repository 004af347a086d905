import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  adviseOnBaseUrl,
  adviseOnEnvFile,
  explainAddress,
} from '../../../src/explain/advice/explain-address.ts'
import { explainMiss } from '../../../src/explain/explain-miss.ts'
import { isError } from '../../../src/explain/kind-of-cause.ts'
import { readIncoming, type Incoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import type { WireRequest } from '../../../src/wire/message.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

const at = (url: string): WireRequest => ({ method: 'POST', url, body: { kind: 'empty' } })
const OPENAI = 'https://api.openai.com/v1/chat/completions'
const LOCAL = 'http://localhost:4010/v1/chat/completions'

test('where a request went instead is said with the variable that set it', () => {
  const env = { OPENAI_BASE_URL: 'http://localhost:4010/v1', OTHER_URL: 'http://localhost:5000/v1' }
  expect(explainAddress(at(OPENAI), at(LOCAL), env)).toBe(
    `It was recorded at ${OPENAI}, and is asked at ${LOCAL}, as OPENAI_BASE_URL says.`,
  )
  expect(explainAddress(at(LOCAL), at(OPENAI), env)).toBe(
    `It was recorded at ${LOCAL}, and is asked at ${OPENAI}.`,
  )
})

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
    'with a name of its own that is set here',
    OPENAI,
    LOCAL,
    { LLM_URL: 'http://localhost:4010/v1' },
    'LLM_URL=https://api.openai.com/v1',
  ],
  [
    'that nobody knows',
    OPENAI,
    LOCAL,
    {},
    'let your application ask https://api.openai.com/v1 again.',
  ],
  [
    'that nobody knows, of another host',
    `${LLM}/v1/chat/completions`,
    LOCAL,
    {},
    `let your application ask ${LLM} again.`,
  ],
])('the variable %s comes first', ([, one, other, env, advice]) => {
  const text = adviseOnBaseUrl(at(one), at(other), env)
  expect(text).toMatch(
    Object.keys(env).length > 0
      ? /^Nothing but the address differs\. If \w+ is meant to lead there now, the commands below settle it\. To replay the recording at its own address, /
      : /^Nothing but the address differs\. To replay the recording, /,
  )
  expect(text.endsWith(advice), text).toBe(true)
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
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain(`It was recorded at ${OPENAI}, and is asked at ${LOCAL}`)
  expect(details).toMatch(
    /To replay the recording, [^]*\n\nIf the change is meant, the cheapest first:\n {2}keep the recorded answers, and send no request:[^]*record/,
  )
})

test('where more than the address differs, it does not say that the address is all', () => {
  const session = openExample(recorded([question('Hello'), 'Hi']))
  const { body } = question('Hello, you').wire
  session.answer(readIncoming({ ...at(LOCAL), body }), { order: 1 })
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain('It was recorded at')
  expect(details).not.toContain('Nothing but the address differs')
})

test('a variable that .env sets, and Vitest does not read, is named with the line for the config', () => {
  const there = { OPENAI_BASE_URL: `${LLM}/v1/`, OPENAI_API_KEY: 'sk-a' }
  const recordedAt = at(`${LLM}/v1/chat/completions`)
  const advice = adviseOnEnvFile(recordedAt, at(OPENAI), {}, there)
  expect(advice).toContain('.env sets OPENAI_BASE_URL, but Vitest does not read .env.')
  expect(advice).toContain(`test: { env: { OPENAI_BASE_URL: '${LLM}/v1' } }`)
  expect(adviseOnEnvFile(recordedAt, at(OPENAI), there, there)).toBe('')
  expect(adviseOnEnvFile(at(OPENAI), at(OPENAI), {}, there)).toBe('')
})

test('where the config sets the variable to the address that is asked, .env is no advice: the gateway moved', () => {
  const there = { OPENAI_BASE_URL: `${LLM}/v1` }
  const here = { OPENAI_BASE_URL: 'http://localhost:4010/v1' }
  const recordedAt = at(`${LLM}/v1/chat/completions`)
  expect(adviseOnEnvFile(recordedAt, at(LOCAL), here, there)).toBe('')
  expect(adviseOnBaseUrl(recordedAt, at(LOCAL), here)).toContain(
    'If OPENAI_BASE_URL is meant to lead there now, the commands below settle it.',
  )
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
  expect(details).toContain('.env sets OPENAI_BASE_URL')
  expect(details).not.toMatch(/RECORD|vitest-cassette record/)
  // Nor does the text of all tests with this cause.
  expect(cause).toSatisfy(isError)
})
