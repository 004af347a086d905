import { expect, test } from 'vitest'
import { judgeAttempt, type Verdict } from '../explain/as-reported.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { chat, speak } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

const cassette = recorded(
  [chat('system: You are kind.', 'Order 7?'), 'Which shop?'],
  [chat('system: You sum up.', 'All of it'), 'a summary'],
  [chat('system: You are kind.', 'Order 7?', 'Which shop?', 'Bern'), 'Sent.'],
)
const [FIRST, OTHER, LAST] = [
  chat('system: You are, kind.', 'Order 7?'),
  chat('system: You sum up.', 'All of it'),
  chat('system: You are, kind.', 'Order 7?', 'Which shop?', 'Bern'),
]

function open(options: object = {}): Session {
  return openExample(cassette, { mode: 'prompts', ...options })
}

function judged(session: Session, more: object = {}): Verdict {
  return judgeAttempt(session, { passed: true, now: new Date('2026-06-01'), color: false, ...more })
}

/** What a miss says about the answer that was not kept. */
function notKept(session: Session): string | undefined {
  return session.misses[0]?.notKept
}

test('a changed prompt keeps its answer, and so does what follows it; what did not change replays', () => {
  const session = open()
  expect([FIRST, OTHER, LAST].map((asked) => speak(session, asked))).toEqual([
    'Which shop?',
    'a summary',
    'Sent.',
  ])
  const { save } = judged(session)
  expect(save!.exchanges.map(({ response }) => 'kept' in response)).toEqual([true, false, true])

  const again = openExample(save)
  for (const asked of [LAST, FIRST, OTHER]) expect(speak(again, asked)).not.toBe('refuse')
  expect(judged(again)).toEqual({})
})

test('the mark stays while the answer does, and goes where it is recorded anew', () => {
  const session = open()
  for (const asked of [FIRST, OTHER, LAST]) speak(session, asked)
  const { save } = judged(session)
  const later = openExample(save, { mode: 'new' })
  speak(later, FIRST)
  speak(later, OTHER)
  speak(later, chat('system: You are, kind.', 'Order 7?', 'Which shop?', 'Basel'), 'Not sent.')
  const { exchanges } = judged(later).save!
  const kept = exchanges.map(({ response }) => [response.text, 'kept' in response])
  expect(kept).toEqual([
    ['Which shop?', true],
    ['a summary', false],
    ['Not sent.', false],
  ])
})

test.for([
  ['messages', chat('system: You are, kind.', 'Order 7?', 'Hm', 'So?')],
  ['messages', chat('Order 7?')],
  ['model', question('Order 7?', { ...bodyOf(FIRST), model: 'gpt-4' })],
  ['streamed', question('Order 7?', { ...bodyOf(FIRST), stream: true })],
  ['tools', question('Order 7?', { ...bodyOf(FIRST), tools: [tool('find')] })],
] as const)('a change of more than words is a miss that names it: %s', async ([what, asked]) => {
  const session = open()
  expect(speak(session, asked)).toBe('refuse')
  expect(notKept(session)).toContain(what)
  await expectGolden(notKept(session)!, `changed-${what}`)
  const { failure, save, park } = judged(session)
  expect(failure!.details).toContain('npx vitest-cassette record')
  expect([save, park]).toEqual([undefined, undefined])
})

test('likeness vetoes, and chooses nothing that words do not name', async () => {
  const session = open()
  // The first conversation of the recording is another one, and this prompt has words of both.
  expect(speak(session, chat('system: You sum up, kind.', 'All of it'))).toBe('refuse')
  await expectGolden(notKept(session)!, 'alike-and-out-of-order')
  const twins = recorded([chat('A one'), 'one'], [chat('A two'), 'two'])
  for (const prompt of ['A three', 'A one two', 'A, two or one']) {
    const tied = openExample(twins, { mode: 'prompts' })
    expect(speak(tied, chat(prompt))).toBe('refuse')
  }
})

const about = (system: string, text: string): Incoming => chat(`system: ${system}`, text)
const rag = recorded(
  [about('Be kind.', 'All about cats'), 'cats'],
  [about('Be kind.', 'All about dogs'), 'dogs'],
  [about('Be kind.', 'All about newts'), 'newts'],
)

test('simultaneous requests whose responses ended in another order keep their answers by their words', () => {
  for (const order of ['dogs newts cats', 'newts dogs cats', 'cats newts dogs']) {
    const session = openExample(rag, { mode: 'prompts' })
    const names = order.split(' ')
    expect(names.map((name) => speak(session, about('Be, kind.', `All about ${name}`)))).toEqual(
      names,
    )
    const { exchanges } = judged(session).save!
    expect(exchanges.map(({ response }) => [response.text, 'kept' in response])).toEqual([
      ['cats', true],
      ['dogs', true],
      ['newts', true],
    ])
    expect(exchanges.map(({ prompt }) => prompt.text.split(' ').at(-1))).toEqual([
      'cats',
      'dogs',
      'newts',
    ])
  }
  const last = openExample(rag, { mode: 'prompts' })
  for (const name of ['dogs', 'newts']) speak(last, about('Be kind.', `All about ${name}`))
  expect(speak(last, about('Be, kind.', 'All about cats'))).toBe('cats')
})

test('what follows a request that was chosen by its words keeps its answer too', () => {
  const turns = (name: string, system: string): Incoming[] => [
    about(system, `All about ${name}`),
    chat(`system: ${system}`, `All about ${name}`, name, 'More'),
  ]
  const all = ['cats', 'dogs'].flatMap((name) => turns(name, 'Be kind.'))
  const deep = recorded(
    [all[0]!, 'cats'],
    [all[2]!, 'dogs'],
    [all[1]!, 'more cats'],
    [all[3]!, 'more dogs'],
  )
  const session = openExample(deep, { mode: 'prompts' })
  const asked = ['dogs', 'cats'].flatMap((name) => turns(name, 'Be, kind.'))
  expect(asked.map((one) => speak(session, one))).toEqual([
    'dogs',
    'more dogs',
    'cats',
    'more cats',
  ])
})

test('simultaneous requests that their words do not name are misses that say so', async () => {
  const both = openExample(rag, { mode: 'prompts' })
  expect(speak(both, about('Be, kind.', 'All about dogs, dogs and cats'))).toBe('refuse')
  await expectGolden(notKept(both)!, 'alike')

  const inTurn = openExample(rag, { mode: 'prompts', unordered: false })
  expect(speak(inTurn, about('Be, kind.', 'All about dogs'))).toBe('refuse')
  await expectGolden(notKept(inTurn)!, 'alike-and-out-of-order')

  const last = openExample(rag, { mode: 'prompts' })
  for (const name of ['dogs', 'newts']) speak(last, about('Be kind.', `All about ${name}`))
  expect(speak(last, about('Be, kind.', 'All about cats and dogs'))).toBe('refuse')
  await expectGolden(notKept(last)!, 'other-place')
})

test('an embedding that comes before the chat it was recorded behind is a miss that says so', async () => {
  const embedding = (text: string): Incoming =>
    readIncoming({
      method: 'POST',
      url: 'https://api.openai.com/v1/embeddings',
      body: readText(JSON.stringify({ model: 'text-embedding-3-small', input: text })),
    })
  const rag = recorded([chat('Rewrite: cats'), 'cats'], [embedding('All about cats'), ''])
  const session = openExample(rag, { mode: 'prompts' })
  expect(speak(session, embedding('All about newts'))).toBe('refuse')
  await expectGolden(notKept(session)!, 'other-place')
})

test('a first prompt asked after another one takes the place of the second', () => {
  const session = open()
  expect(speak(session, chat('system: You are kind.', 'Order 7?'))).toBe('Which shop?')
  expect(speak(session, chat('system: You sum, up.', 'All of it'))).toBe('a summary')
})

test('requests that are spelled otherwise are stored as they are sent, if the test makes all of them', () => {
  const asked = cassette.exchanges.map(({ wire }) => {
    const turned = Object.entries(bodyOf(readIncoming(wire!.request))).toReversed()
    const body = readText(JSON.stringify(Object.fromEntries(turned)), false)
    return readIncoming({ ...wire!.request, body })
  })
  const session = open()
  for (const one of asked) expect(speak(session, one)).not.toBe('refuse')
  const { save, merge, respelled } = judged(session)
  expect(respelled).toBe(3)
  const stored = merge!(cassette, save!)
  const keys = stored.exchanges.map(({ wire }) => Object.keys(bodyOf(readIncoming(wire!.request))))
  expect(new Set(keys.map(String))).toEqual(new Set(['messages,model']))
  expect(stored.exchanges.map(({ response }) => response)).toEqual(
    cassette.exchanges.map(({ response }) => response),
  )

  const less = open({ unused: 'warn' })
  speak(less, asked[0]!)
  expect(judged(less)).toMatchObject({ respelled: 1, unused: 2 })
  const failing = open()
  speak(failing, asked[0]!)
  expect(judged(failing)).toMatchObject({ failure: { code: 'unused' } })
  expect(judged(failing)).not.toHaveProperty('save')
})

test('one conversation too many is a miss', async () => {
  const session = open()
  for (const asked of [FIRST, OTHER, LAST]) speak(session, asked)
  expect(speak(session, chat('system: You are, kind.', 'Order 8?'))).toBe('refuse')
  await expectGolden(notKept(session)!, 'nothing-in-its-place')
})

test('a test that asks less saves nothing, also where unused exchanges are a warning elsewhere', () => {
  const session = open({ unused: 'warn' })
  speak(session, FIRST)
  speak(session, OTHER)
  const { failure, save } = judged(session)
  expect(failure!.code).toBe('unused')
  expect(failure!.headline).toContain(': 1 of 3 ')
  expect(save).toBeUndefined()
})

test('where the order counts, an answer is kept in its turn alone', () => {
  const session = open({ unordered: false })
  expect(speak(session, FIRST)).toBe('Which shop?')
  expect(speak(session, LAST)).toBe('refuse')
})

test('a test that fails leaves the cassette, and parks nothing', () => {
  const session = open()
  for (const asked of [FIRST, OTHER, LAST]) speak(session, asked)
  expect(judged(session, { passed: false })).toEqual({})
})

test('volatile values stay bound, and their recorded spelling stays in the cassette', async () => {
  const old = recorded([chat('Order ord_111?'), 'ord_111 is late'])
  const volatile = [/ord_\d+/]
  const session = openExample(old, { mode: 'prompts', volatile })
  const read = (text: string): Incoming =>
    readIncoming(chat(text).wire, { volatile: session.config.volatile })
  expect(speak(session, read('Order, ord_222?'))).toBe('ord_222 is late')
  const [exchange] = judged(session).save!.exchanges
  expect(exchange!.response.text).toBe('ord_111 is late')
  expect(JSON.stringify(exchange!.wire!.request)).toContain('Order, ord_111?')

  const more = openExample(old, { mode: 'prompts', volatile })
  expect(speak(more, read('Order ord_222 or ord_333?'))).toBe('refuse')
  await expectGolden(notKept(more)!, 'changed-volatile-values')
})

test('what a socket sends is a miss that says so', async () => {
  const session = open()
  const { wire } = FIRST!
  const sent = readIncoming({ ...wire, method: 'SEND', url: 'wss://api.openai.com/v1/responses' })
  expect(speak(session, sent)).toBe('refuse')
  await expectGolden(notKept(session)!, 'socket')
})

test('in replay nothing is kept', () => {
  const session = openExample(cassette, { mode: 'replay' })
  expect(speak(session, FIRST)).toBe('refuse')
  expect(notKept(session)).toBeUndefined()
})

function bodyOf({ wire }: ReturnType<typeof chat>): JsonObject {
  return wire.body.kind === 'json' ? (wire.body.value as JsonObject) : {}
}

function tool(name: string): JsonObject {
  return { type: 'function', function: { name, parameters: { type: 'object' } } }
}
