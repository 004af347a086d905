import { afterEach, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { judgeInScope } from '../../src/transports/answer.ts'
import type { Attempt } from '../../src/attempt/attempt.ts'
import { setFileScope } from '../../src/transports/scope.ts'
import { openExample } from '../engine/example-session.ts'
import { attemptWith } from '../attempt/example-attempt.ts'

const config = resolveConfig({}, { ci: false, recordInCi: false })
const CHAT = 'http://127.0.0.1:4000/v1/chat/completions'
const THIEF = 'http://127.0.0.1:81/stolen'

afterEach(() => setFileScope(undefined))

/** A scope in which a chat was answered by a redirect to a thief, wherever the answer comes from. */
function ledAway(location = THIEF): Attempt {
  const session = openExample(undefined, { mode: 'all' })
  const scope = attemptWith(session)
  const chat = readIncoming({ method: 'POST', url: CHAT, body: { kind: 'empty' } })
  scope.session.leads.add(chat, {
    status: 307,
    headers: { location },
    body: { kind: 'empty' },
  })
  return scope
}

const quiet = (): Attempt => attemptWith(openExample(undefined))

test('what an answer leads to is an LLM call in the same test, by whatever method, and in no other', () => {
  const scope = ledAway()
  for (const method of ['GET', 'POST', 'PUT', 'CONNECT'])
    expect(judgeInScope(method, THIEF, scope, config)).toBe('certain')
  expect(judgeInScope('GET', THIEF, quiet(), config)).toBe('no')
  expect(judgeInScope('GET', THIEF, undefined, config)).toBe('no')
  expect(judgeInScope('GET', THIEF, 'upstream', config)).toBe('no')
})

test('what an answer leads to is an LLM call even where its body says nothing of a model', () => {
  const url = 'http://127.0.0.1:81/v1/chat/completions'
  expect(judgeInScope('POST', url, quiet(), config)).toBe('likely')
  expect(judgeInScope('POST', url, ledAway(), config)).toBe('certain')
})

test('what the hooks of a file were answered leads its tests', () => {
  setFileScope(ledAway())
  expect(judgeInScope('GET', THIEF, quiet(), config)).toBe('certain')
})

test('to hosts that only take traces it leads as to any other', () => {
  const url = 'https://api.smith.langchain.com/runs'
  expect(judgeInScope('POST', url, quiet(), config)).toBe('no')
  expect(judgeInScope('POST', url, ledAway(url), config)).toBe('certain')
})

test('the option allowHosts has the last word', () => {
  const allowing = resolveConfig({ allowHosts: ['127.0.0.1:81'] }, { ci: false, recordInCi: false })
  expect(judgeInScope('GET', THIEF, ledAway(), allowing)).toBe('no')
})

test.each([
  ['no', 'http://127.0.0.1:4242/0123456789abcdef-0123/https/api.openai.com/v1/chat/completions'],
  ['no', 'http://localhost:4242/0123456789abcdef-0123/http/localhost:11434/v1/chat/completions'],
  ['likely', 'http://127.0.0.1:4242/v1/chat/completions'],
  ['likely', 'http://gateway.example/0123456789abcdef-0123/https/llm.example/v1/chat/completions'],
])('a call to the gateway of another process is answered there: %s for %s', (judged, url) => {
  const options = { hosts: [], allowHosts: [] }
  expect(judgeInScope('POST', url, undefined, options)).toBe(judged)
})
