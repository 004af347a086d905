import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { explainMiss } from './as-reported.ts'
import { explainTunnels } from '../../src/explain/ways-out.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { readText } from '../../src/wire/body.ts'
import { chat } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

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

/** The commands that the first miss of a session offers, with the sentences before them. */
function waysOf(session: Session): string[] {
  const { details } = explainMiss(session, session.misses[0]!, false)
  return details.split('\n\n').at(-1)!.split('\n')
}

/** The numbers of the sentences, such as those of calls and of dollars, above each command. */
function countsOf(session: Session): Array<[command: string, ...counts: string[]]> {
  return waysOf(session).flatMap((line, index, all) =>
    / record | node /.test(line) && !line.endsWith(':')
      ? [[line.trim(), ...(all[index - 1]!.match(/\$?\d[\d.]*/g) ?? [])]]
      : [],
  )
}

const COMMAND = 'npx vitest-cassette record'

function ask(session: Session, ...texts: string[]): Session {
  texts.forEach((text, order) => session.answer(question(text), { order }))
  return session
}

test('a prompt in which only a time differs, which changes with each run, keeps no answer', () => {
  const at = (time: string): Incoming => question(`It is ${time}. What is for lunch today, please?`)
  const session = openExample(recorded([at('2026-01-01T10:00:00Z'), 'Soup.']))
  session.answer(at('2026-01-02T11:00:00Z'), { order: 1 })
  const { details, cause } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain("volatile: ['iso-datetime']")
  expect(details).not.toContain('--prompts')
  expect(cause?.keeps).toBe(false)
})

test('a prompt that changed in its place can keep its answer, go on live from there, or be recorded whole', async () => {
  const session = ask(openExample(cassette()), 'One?', 'Two, please?')
  expect(countsOf(session)).toEqual([
    [`${COMMAND} --prompts a.test.ts -t '^asks$'`],
    [`${COMMAND} --new a.test.ts -t '^asks$'`, '2', '3', '$2.50'],
    [`${COMMAND} a.test.ts -t '^asks$'`, '3', '$3.75'],
  ])
  await expectGolden(waysOf(session).join('\n'), 'three-ways')
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
  const session = ask(openExample(cassette()), 'One, please?')
  expect(waysOf(session).join('\n')).not.toContain('--new')
  expect(countsOf(session).at(-1)).toEqual([`${COMMAND} a.test.ts -t '^asks$'`, '3', '$3.75'])
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
  expect(ways).toContain(`${COMMAND} a.test.ts`)
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
  expect(countsOf(ask(unknown, 'One, please?')).at(-1)).toEqual([
    `${COMMAND} a.test.ts -t '^asks$'`,
    '3',
  ])
})

test('each host is named once, with the first program that reached it and the options to settle it', async () => {
  const text = explainTunnels([
    ['corp.example:443', 'python3'],
    ['git.example:8443', 'git'],
    ['corp.example:443', 'curl'],
  ])
  expect(text.split('\n').slice(1, 3)).toEqual([
    '  corp.example (python3)',
    '  git.example:8443 (git)',
  ])
  expect(text.split('\n').slice(3).join()).toMatch(/\bhosts\b.*\ballowHosts\b/)
  await expectGolden(text, 'tunnels')
})
