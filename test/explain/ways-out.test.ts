import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { explainMiss } from '../../src/explain/explain-miss.ts'
import { explainTunnels } from '../../src/explain/ways-out.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { readText } from '../../src/wire/body.ts'
import { chat } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

/** Three questions, answered for a million tokens each. */
function cassette(): Cassette {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Yes.' } }]
  const body = readText(JSON.stringify({ model: 'gpt-5', choices, usage }))
  const turns = ['One?', 'Two?', 'Three?'].map((text) => ({
    incoming: question(text),
    response: { status: 200, headers: {}, body },
  }))
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(turns),
  }
}

/** What the first miss of a session offers, from the sentence with which that begins. */
function waysOf(session: Session): string[] {
  const { details } = explainMiss(session, session.misses[0]!, false)
  return details.slice(details.lastIndexOf('If the change is meant')).split('\n')
}

function ask(session: Session, ...texts: string[]): Session {
  texts.forEach((text, order) => session.answer(question(text), { order }))
  return session
}

test('where only a time differs, which is another one in each run, no answer is kept for it', () => {
  const at = (time: string): Incoming => question(`It is ${time}. What is for lunch today, please?`)
  const session = openExample(recorded([at('2026-01-01T10:00:00Z'), 'Soup.']))
  session.answer(at('2026-01-02T11:00:00Z'), { order: 1 })
  const { details, cause } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain("volatile: ['iso-datetime']")
  expect(details).not.toContain('--prompts')
  expect(cause?.keeps).toBe(false)
})

test('a prompt that changed in its place can keep its answer, go on live from there, or be recorded whole', () => {
  const session = ask(openExample(cassette()), 'One?', 'Two, please?')
  expect(waysOf(session)).toEqual([
    'If the change is meant, the cheapest first:',
    '  keep the recorded answers, and send no request:',
    "    npx vitest-cassette record --prompts a.test.ts -t '^asks$'",
    '  record 2 of 3 calls again, about $2.50:',
    "    npx vitest-cassette record --new a.test.ts -t '^asks$'",
    '  record 3 calls again, about $3.75:',
    "    npx vitest-cassette record a.test.ts -t '^asks$'",
  ])
})

test('a question that was added cannot keep the answer of the next one, whose prompt would find no place', () => {
  const one = chat('Which shops are open?')
  const added = chat('Which shops are open?', 'Two.', 'And is there any milk left there?')
  const next = chat('Which shops are open?', 'Two.', 'Until when?')
  const before = recorded([one, 'Two.'], [next, 'Ten.'])
  const session = openExample(before)
  for (const [order, asked] of [one, added].entries()) session.answer(asked, { order })
  expect(waysOf(session).join('\n')).not.toContain('--prompts')
  const edited = openExample(before)
  const edit = chat('Which shops are open?', 'Two.', 'Until when, please?')
  for (const [order, asked] of [one, edit].entries()) edited.answer(asked, { order })
  expect(waysOf(edited).join('\n')).toContain('--prompts')
})

test('where nothing was replayed before it, going on live from there would be all of it', () => {
  const ways = waysOf(ask(openExample(cassette()), 'One, please?')).join('\n')
  expect(ways).not.toContain('--new')
  expect(ways).toContain('record 3 calls again, about $3.75:')
})

test('a socket cannot go on live, so nobody is told to let it', () => {
  const session = openExample(cassette())
  const asked = (text: string): Incoming => {
    const incoming = question(text)
    Object.assign(incoming.wire, { url: 'wss://api.openai.com/v1/realtime' })
    return incoming
  }
  session.answer(question('One?'), { order: 0 })
  session.answer(asked('Two, please?'), { order: 1 })
  const ways = waysOf(session).join('\n')
  expect(ways).not.toContain('--new')
  expect(ways).toContain('record 3 calls again')
})

test('the command of a program that is not Vitest gets its variable', () => {
  const session = openExample(cassette())
  const test = { ...session.test, recordCommand: 'RECORD=1 node a.mjs' }
  Object.assign(session, { test })
  const ways = waysOf(ask(session, 'One?', 'Two, please?')).join('\n')
  expect(ways).toContain('    RECORD=prompts node a.mjs\n')
  expect(ways).toContain('    RECORD=new node a.mjs\n')
})

test('what a call cost is left out where nobody knows it', () => {
  const unknown = openExample(cassette(), { prices: { 'gpt-5': { input: 0, output: 0 } } })
  expect(waysOf(ask(unknown, 'One, please?')).join('\n')).toContain('record 3 calls again:\n')
})

test('each host is named once, with the first program that reached it and the options to settle it', () => {
  const text = explainTunnels([
    ['corp.example:443', 'python3'],
    ['git.example:8443', 'git'],
    ['corp.example:443', 'curl'],
  ])
  expect(text.split('\n').slice(1, 3)).toEqual([
    '  corp.example (python3)',
    '  git.example:8443 (git)',
  ])
  expect(text).toContain('add it to the option hosts')
  expect(text).toContain('add it to allowHosts')
})
