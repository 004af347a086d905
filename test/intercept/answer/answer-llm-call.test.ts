import { expect, test, vi } from 'vitest'
import type { Cassette } from '../../../src/cassette/format/cassette.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { replayAtOnce } from '../../../src/engine/replay-at-once.ts'
import { answerAtOnce } from '../../../src/intercept/answer/answer-at-once.ts'
import { answerFromSession } from '../../../src/intercept/answer/answer-from-session.ts'
import { answerLlmCall } from '../../../src/intercept/answer/answer-llm-call.ts'
import { isLlmCall } from '../../../src/intercept/call/is-llm-call.ts'
import type { Later } from '../../../src/intercept/answer/later.ts'
import { TestScope } from '../../../src/intercept/context/scope.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

vi.mock(import('../../../src/prompt/sha256.ts'), async (original) => {
  const { sha256 } = await original()
  return { sha256: vi.fn(sha256) }
})

const later = {
  engine: () => ({ isLlmCall, replayAtOnce, answerFromSession }),
} as unknown as Later

/** Asks as the road of fetch does: at once, and where that gives nothing, the whole way. */
async function ask(text: string, cassette?: Cassette) {
  const config = resolveConfig({}, { ci: false, recordInCi: false })
  const session = openExample(cassette)
  const scope = new TestScope(config, { session: () => session })
  const url = new URL('https://api.openai.com/v1/chat/completions')
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: text }] })
  const request = { method: 'POST', url: url.href, headers: new Headers(), body }
  vi.mocked(sha256).mockClear()
  const parse = vi.spyOn(JSON, 'parse')
  const call = { url, judged: 'certain' as const, config, stamp: { scope, order: 1 } }
  const response =
    answerAtOnce(request, scope, later) ?? (await answerLlmCall(() => request, call, later))!
  const parsed = parse.mock.calls.filter(([json]) => json === body).length
  parse.mockRestore()
  const hashed = vi
    .mocked(sha256)
    .mock.calls.filter(([input]) => String(input).startsWith('{') && String(input).includes(text))
  return { status: response.status, parsed, hashed: hashed.length }
}

test('what is recorded is parsed and hashed once', async () => {
  const cassette = recorded([question('Hello'), 'one'])
  const { status, parsed, hashed } = await ask('Hello', cassette)
  // The recorded one, and the one asked.
  expect([status, parsed, hashed]).toEqual([200, 1, 2])
})

test('so is what is not recorded, though it is looked up as it stands and as it is redacted', async () => {
  expect(await ask('Hello')).toEqual({ status: 400, parsed: 1, hashed: 1 })
})
