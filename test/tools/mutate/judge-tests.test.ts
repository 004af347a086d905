import { expect, test } from 'vitest'
import {
  type KnownFates,
  Rounds,
  Subject,
  type TestEnd,
} from '../../../src/tools/mutate/judge-tests.ts'
import type { Mutant } from '../../../src/tools/mutate/mutants.ts'

const PASSES = { passed: true, failedItself: false, misses: 0 }
const FAILS = { passed: false, failedItself: true, misses: 0 }
const MISSES = { passed: false, failedItself: true, misses: 1 }

type Result = typeof PASSES

/** Tries all; `undefined` is a test that does not end. Says how many runs that took. */
function tryAll(
  titles: string[],
  resultOf: (title: string, changed: string[]) => Result | undefined,
  whats = ['it refuses', 'it is empty'],
): { fates: Record<string, string[]>; runs: number } {
  const known = new Map<Mutant, string>()
  const kept = {
    get: () => undefined,
    set: (_, mutant, fate) => void known.set(mutant, fate),
    forget: (_, mutant) => void known.delete(mutant),
  } as Partial<KnownFates> as KnownFates
  const subjects = titles.map((title) => {
    const line: TestEnd = { file: 'a.test.ts', files: [], title, cassette: title, ...PASSES }
    const mutants = whats.map((what) => ({ exchange: title, what, response: { text: '' } }))
    const judged = { file: line.file, title, cassette: title, mutants: [] }
    return new Subject(judged, line, { exchanges: [] } as never, mutants, kept)
  })
  const rounds = new Rounds(subjects)
  let runs = 0
  for (let tried = rounds.next(); tried.length > 0; tried = rounds.next()) {
    const changed = tried.map(({ line }) => line.title)
    const ended = subjects.flatMap(({ line }): Array<[string, TestEnd]> => {
      const result = resultOf(line.title, changed)
      return result ? [[line.cassette, { ...line, ...result }]] : []
    })
    rounds.end(tried, new Map(ended))
    runs++
  }
  for (const { judged } of subjects) expect(judged.mutants).toHaveLength(whats.length)
  expect([...known.values()]).toHaveLength(titles.length * whats.length)
  const fates = subjects.map(({ line, judged }) => [
    line.title,
    judged.mutants.map(({ fate }) => fate),
  ])
  return { fates: Object.fromEntries(fates), runs }
}

const itself = (title: string, changed: string[]): Result =>
  changed.includes(title) && title !== 'blind' ? FAILS : PASSES

test('tests that do not depend on each other share their runs', () => {
  const titles = ['a', 'b', 'blind', 'd', 'e', 'f', 'g', 'h']
  const whats = Array.from({ length: 10 }, (_, index) => `change ${index}`)
  const { fates, runs } = tryAll(titles, itself, whats)
  expect(fates.a).toEqual(Array(10).fill('assertion'))
  expect(fates.blind).toEqual(Array(10).fill('survived'))
  expect(runs).toBe(13)
})

test.each([0, 1, 2, 3, 4])('a test that another one breaks notices for that one (%i)', (at) => {
  const titles = ['blind', 'a', 'b', 'c'].toSpliced(at, 0, 'victim')
  const { fates } = tryAll(titles, (title, changed) =>
    title === 'victim' ? (changed.includes('blind') ? FAILS : PASSES) : itself(title, changed),
  )
  expect(fates).toEqual({
    blind: ['assertion', 'assertion'],
    victim: ['survived', 'survived'],
    a: ['assertion', 'assertion'],
    b: ['assertion', 'assertion'],
    c: ['assertion', 'assertion'],
  })
})

test('what another test asks after a changed answer is told apart', () => {
  const { fates } = tryAll(['blind', 'asks'], (title, changed) =>
    title === 'asks' ? (changed.includes('blind') ? MISSES : PASSES) : PASSES,
  )
  expect(fates).toEqual({ blind: ['requests', 'requests'], asks: ['survived', 'survived'] })
})

test('a test that takes its worker with it is noticed, and the others of its file are not', () => {
  const { fates } = tryAll(['a', 'killer', 'blind', 'mute'], (title, changed) =>
    changed.includes('killer') && title !== 'a' ? undefined : PASSES,
  )
  expect(fates).toEqual({
    a: ['survived', 'survived'],
    killer: ['assertion', 'assertion'],
    blind: ['survived', 'survived'],
    mute: ['survived', 'survived'],
  })
})
