import { expect, test } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { onlyReplayed } from '../../src/engine/adopt.ts'
import { Attempt } from '../../src/attempt/attempt.ts'
import type { Ended, OpenSession, Owner } from '../../src/attempt/owner.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

const nowhere: Environment = { ci: false, recordInCi: false }
const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
const outcome = { passed: true, now: new Date(), color: false }

/** An attempt, and what was opened and judged for it, with the options that held. */
function open() {
  const happened: string[] = []
  const owner: Owner = {
    root: '/',
    test: () => openExample(cassette).test,
    path: () => 'a.json',
    hasCassette: () => true,
    shown: (path) => path,
  }
  const attempt = new Attempt(owner, resolveConfig({}, nowhere), {
    onlyReplayed,
    open(_, { repeats }) {
      happened.push(`opened with ${repeats}`)
      const one: OpenSession = {
        session: openExample(cassette, { repeats }),
        owner,
        another: () => one,
      }
      return one
    },
    async close(): Promise<Ended> {
      happened.push('judged')
      return { verdict: {} }
    },
  })
  return { attempt, happened }
}

test('options hold for what is opened after them, and open nothing', () => {
  const { attempt, happened } = open()
  attempt.configure({ repeats: 'last' }, nowhere, resolveConfig)
  expect([attempt.config.repeats, happened]).toEqual(['last', []])
  expect(attempt.session.answer(question('a'), { order: 1 }).action).toBe('replay')
  expect(happened).toEqual(['opened with last'])
})

test('options are too late once the test has asked, but for those that are judged at the end', async () => {
  const { attempt } = open()
  attempt.session.answer(question('a'), { order: 1 })
  const configure = (): void => attempt.configure({ repeats: 'last' }, nowhere, resolveConfig)
  expect(configure).toThrow(coded('invalid-option'))
  expect(configure).toThrow(/^repeats: .*"a\.test\.ts > asks"/)
  await expectGolden(await failureOf(configure), 'too-late')
  attempt.configure({ unused: 'warn' }, nowhere, resolveConfig)
  expect(attempt.config.unused).toBe('warn')
})

test('options hold for the first LLM call, whatever else was asked before it', () => {
  const { attempt } = open()
  expect(attempt.session.answer(question('x'), { order: 1 }, () => false).action).toBe('live')
  expect(attempt.wasAsked).toBe(false)
  const uuid = '3f2b8c1e-0d4a-4b6f-9a51-7c2e8d9f0a1b'
  attempt.configure({ volatile: ['uuid'] }, nowhere, resolveConfig)
  attempt.session.answer(question(`x ${uuid}`), { order: 2 })
  expect(attempt.session.misses).toHaveLength(1)
  expect(attempt.wasAsked).toBe(true)
})

test('options are too late after the end of a test that asked nothing', async () => {
  const { attempt } = open()
  attempt.abandon()
  const configure = (): void => attempt.configure({ unused: 'warn' }, nowhere, resolveConfig)
  expect(configure).toThrow(coded('invalid-option'))
  expect(configure).toThrow(/^unused: /)
  await expectGolden(await failureOf(configure), 'after-the-end')
})

test('an attempt that replays its whole cassette needs no judge', async () => {
  const { attempt, happened } = open()
  for (const [order, text] of ['a', 'b'].entries())
    attempt.session.answer(question(text), { order })
  expect(await attempt.close(outcome)).toEqual({})
  expect(happened).toEqual(['opened with strict'])
})

test.each([
  ['asks less', ['a'], true],
  ['asks something else', ['a', 'b', 'c'], true],
  ['fails', ['a', 'b'], false],
])('one that %s is judged', async (_, texts, passed) => {
  const { attempt, happened } = open()
  for (const [order, text] of texts.entries()) attempt.session.answer(question(text), { order })
  expect(await attempt.close({ ...outcome, passed })).toEqual({ verdict: {} })
  expect(happened).toContain('judged')
})
