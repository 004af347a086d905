import { expect, test } from 'vitest'
import { judgeAttempt, type Verdict } from '../explain/as-reported.ts'
import type { AttemptOutcome } from '../../src/explain/judge-attempt.ts'
import type { Answer } from '../../src/engine/session-contract.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { Session } from '../../src/engine/session.ts'
import { CassetteError } from '../../src/errors.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import { coded, expectGolden } from '../golden.ts'
import { openExample, question, recorded } from './example-session.ts'

const attempt: AttemptOutcome = { passed: true, now: new Date('2026-06-01'), color: false }

let order = 0
function ask(session: Session, text: string): string {
  return answerText(session.answer(question(text), { order: ++order }))
}

function answerText(answer: Answer): string {
  if (answer.action !== 'replay') return answer.action
  return /"content":"(.*?)"/.exec(textOf(answer.response.body))![1]!
}

function judged(session: Session, more: Partial<AttemptOutcome> = {}): Verdict {
  return judgeAttempt(session, { ...attempt, ...more })
}

test('the same prompt asked twice gets its answers in the order recorded', () => {
  const session = openExample(
    recorded([question('a'), 'one'], [question('b'), 'x'], [question('a'), 'two']),
  )
  expect(['a', 'a', 'b'].map((text) => ask(session, text))).toEqual(['one', 'two', 'x'])
  expect(judged(session)).toEqual({})
})

test('a prompt asked a third time is a miss that says how often it was played', async () => {
  const session = openExample(recorded([question('a'), 'one'], [question('a'), 'two']))
  expect(['a', 'a', 'a'].map((text) => ask(session, text))).toEqual(['one', 'two', 'refuse'])
  const { headline } = judged(session).failure!
  expect(headline).toContain('2 of 2')
  await expectGolden(headline, 'already-played')
})

test('where repeats are allowed, the last answer repeats', () => {
  const session = openExample(recorded([question('a'), 'one'], [question('a'), 'two']), {
    repeats: 'last',
  })
  expect(['a', 'a', 'a', 'a'].map((text) => ask(session, text))).toEqual([
    'one',
    'two',
    'two',
    'two',
  ])
  expect(judged(session)).toEqual({})
})

test('by option all answers repeat, in the order recorded', () => {
  const cassette = recorded([question('a'), 'one'], [question('a'), 'two'])
  const session = openExample(cassette, { repeats: 'cycle' })
  const answers = Array.from({ length: 5 }, () => ask(session, 'a'))
  expect(answers).toEqual(['one', 'two', 'one', 'two', 'one'])
  expect(judged(session)).toEqual({})
})

test('the order counts where a test says so', async () => {
  const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
  const open = (): Session => openExample(cassette, { unordered: false, repeats: 'last' })
  const inOrder = open()
  expect(['a', 'a', 'b', 'a'].map((text) => ask(inOrder, text))).toEqual([
    'one',
    'one',
    'two',
    'one',
  ])
  const swapped = open()
  expect(['b', 'a', 'b'].map((text) => ask(swapped, text))).toEqual(['refuse', 'one', 'two'])
  expect(swapped.misses[0]!.turn!.exchange.id).toBe('exchange-1')
  const { headline, details } = judged(swapped).failure!
  expect(headline).toContain('exchange-1')
  await expectGolden(`${headline}\n\n${details}`, 'out-of-turn')
})

test('a miss outweighs a passed test, unused exchanges and later misses', async () => {
  const session = openExample(recorded([question('a'), 'one']))
  ask(session, 'b')
  ask(session, 'c')
  const { failure } = judged(session)
  expect(failure!.code).toBe('miss')
  expect(session.misses).toHaveLength(2)
  await expectGolden(`${failure!.headline}\n\n${failure!.details}`, 'two-misses')
})

test('the closest exchange is shown, and never replayed', () => {
  const session = openExample(
    recorded(
      [question('Tell me about Rome'), 'one'],
      [question('Write a long poem on the sea'), 'two'],
    ),
  )
  expect(ask(session, 'Write a long poem on the lake')).toBe('refuse')
  expect(judged(session).failure!.details).toMatch(/closest +exchange-2[^]*sea[^]*lake/)
})

test('exchanges that were not asked for fail a passing test, and only that', () => {
  const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
  const session = (): Session => {
    const opened = openExample(cassette)
    ask(opened, 'a')
    return opened
  }
  expect(judged(session()).failure).toMatchObject({ code: 'unused' })
  expect(judged(session()).failure!.details).toContain('exchange-2')
  expect(judged(session(), { passed: false })).toEqual({})
  expect(judged(session(), { partial: true })).toEqual({})
})

test('mode new drops what a passing test does not ask for, and says so', async () => {
  const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
  const session = openExample(cassette, { mode: 'new' })
  ask(session, 'a')
  const { save, warning, failure } = judged(session)
  expect(failure).toBeUndefined()
  expect(save!.exchanges.map(({ response }) => response.text)).toEqual(['one'])
  for (const fact of ['1 of 2', 'exchange-2']) expect(warning).toContain(fact)
  await expectGolden(warning!, 'dropped')
  expect(judged(session, { passed: false })).toEqual({})
  expect(judged(session, { partial: true })).toEqual({})
})

test('mode new drops nothing where the test asks no model, or where a person wrote the rest', () => {
  const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
  expect(judged(openExample(cassette, { mode: 'new' })).failure).toMatchObject({ code: 'unused' })
  delete cassette.exchanges[1]!.wire
  const session = openExample(cassette, { mode: 'new' })
  ask(session, 'a')
  expect(judged(session)).toMatchObject({ failure: { code: 'unused' } })
})

test('by option, exchanges that were not asked for only warn', async () => {
  const session = openExample(recorded([question('a'), 'one']), { unused: 'warn' })
  const { failure, warning, unused } = judged(session)
  expect([failure, unused]).toEqual([undefined, 1])
  expect(warning).toContain('1 of 1')
  await expectGolden(warning!, 'not-asked-for')
})

test('a request after the verdict is refused and changes nothing', () => {
  const session = openExample(recorded([question('a'), 'one']))
  ask(session, 'a')
  session.late.end(-1)
  expect(ask(session, 'a')).toBe('refuse')
  expect(session.misses).toEqual([])
})

test('a cassette that cannot be read fails the test, also when it is to be recorded', () => {
  for (const mode of ['replay', 'all', 'new'] as const) {
    const { test: identity, config } = openExample(undefined, { mode })
    const load = (): never => {
      throw new CassetteError('invalid-cassette', 'It is empty.\nRestore it.')
    }
    const session = new Session({ test: identity, config, load, rare: () => rareCases })
    expect(ask(session, 'a')).toBe('refuse')
    expect(judged(session).failure).toMatchObject({ code: 'invalid-cassette' })
  }
})

test('exchanges are recorded in the order asked, whatever the order of the answers', () => {
  const session = openExample(undefined, { mode: 'all' })
  const answers = ['first', 'second'].map((text, index) =>
    session.answer(question(text), { order: 10 - index }),
  )
  for (const answer of answers) {
    if (answer.action !== 'record') throw new Error('is not recorded')
    answer.recording.response = { status: 200, headers: {}, body: { kind: 'empty' } }
  }
  const { save } = judged(session)
  expect(save!.exchanges.map(({ prompt }) => prompt.text)).toEqual(['second', 'first'])
})

test('the recording of a failing test is parked, not saved', () => {
  const session = openExample(undefined, { mode: 'all' })
  const answer = session.answer(question('a'), { order: 1 })
  if (answer.action === 'record')
    answer.recording.response = { status: 200, headers: {}, body: { kind: 'empty' } }
  const { save, park } = judged(session, { passed: false })
  expect(save).toBeUndefined()
  expect(park!.exchanges).toHaveLength(1)
})

test.for([400, 401, 429, 500])('a failing test that got nothing but %i parks nothing', (status) => {
  const session = openExample(undefined, { mode: 'all' })
  for (const [index, text] of ['a', 'a', 'b'].entries()) {
    const answer = session.answer(question(text), { order: index })
    if (answer.action === 'record')
      answer.recording.response = { status, headers: {}, body: { kind: 'empty' } }
  }
  expect(judged(session, { passed: false }).park).toBeUndefined()
})

test.for([401, 403, 429, 500, 503])(
  'an answer of %i is not saved as the last word, nor where a retry overcame it',
  async (status) => {
    const record = async (
      options: { recordErrors?: boolean },
      statuses: number[],
    ): Promise<Verdict> => {
      const session = openExample(undefined, { mode: 'all', ...options })
      for (const [index, status] of statuses.entries()) {
        const answer = session.answer(question('a'), { order: index })
        if (answer.action !== 'record') continue
        answer.recording.response = { status, headers: {}, body: { kind: 'empty' } }
        await answer.recording.keep()
      }
      return judged(session)
    }
    expect((await record({}, [status])).failure!.headline).toContain(`answered ${status}`)
    expect((await record({}, [status])).park).toBeDefined()
    expect((await record({ recordErrors: true }, [status])).save).toBeDefined()
    expect((await record({}, [status, 200])).save!.exchanges).toHaveLength(1)
    expect((await record({}, [status, status, 200])).save!.exchanges).toHaveLength(1)
    expect((await record({}, [status, 200, status])).failure).toBeDefined()
    expect((await record({ recordErrors: true }, [status, 200])).save!.exchanges).toHaveLength(2)
  },
)

test('mode new leaves out what a retry overcame, and says nothing of it', async () => {
  const session = openExample(recorded([question('a'), 'one']), { mode: 'new' })
  ask(session, 'a')
  for (const status of [429, 200]) {
    const answer = session.answer(question('b'), { order: ++order })
    if (answer.action !== 'record') throw new Error(answer.action)
    const body = { kind: 'empty' } as const
    Object.assign(answer.recording, { response: { status, headers: {}, body }, durationMs: 1 })
    await answer.recording.keep()
  }
  const { save, warning, handOvers } = judged(session)
  expect(save!.exchanges.map(({ wire }) => wire!.response!.status)).toEqual([200, 200])
  expect([warning, handOvers]).toEqual([undefined, undefined])
  expect(session.asked).toHaveLength(2)
})

test('a prompt of 10,000 levels is a clear error, however its JSON is spelled', () => {
  const body = `{"messages": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const wire = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: readText(body),
  }
  expect(() => readIncoming(wire).hash).toThrow(coded('invalid-json'))
})

test('the program that asked is named, also of later misses; its arguments are short and hold no key', () => {
  const session = openExample(recorded([question('a'), 'one']))
  const key = `sk-proj-${'Ab1'.repeat(16)}`
  const programs = [`python3 worker.py --key=${key}`, `node long.mjs ${'word '.repeat(90)}`]
  for (const [order, askedBy] of programs.entries())
    session.answer(question(`b${order}`), { order, askedBy }, () => true)
  const { details } = judged(session).failure!
  expect(details).toContain('asked by  python3 worker.py --key=<REDACTED')
  expect(details).not.toContain(key)
  expect(details).toMatch(/\n {2}POST \S+, .*node long\.mjs .{60,70}….{39}/)
})

test('a server that a program of the test could not reach is named with the miss', async () => {
  const session = openExample(recorded([question('a'), 'one']))
  session.unreached = new Map([['127.0.0.1:4013', 'python3 worker.py']])
  ask(session, 'b')
  const { details } = judged(session).failure!
  const [line] = /^.*127\.0\.0\.1:4013.*$/m.exec(details)!
  for (const fact of ['python3 worker.py', '502']) expect(line).toContain(fact)
  await expectGolden(line, 'unreached-server')
})
