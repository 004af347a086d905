import { expect, test } from 'vitest'
import { type Made, made as madeOf, scenario, whole } from './lab.ts'

const MARK = 'mark: called invalid on 2026-11-29: the tool is gone'
const AGE = /^age: recorded [\d,]+ days ago, on 2020-01-01; the limit is 90$/

/** Its recordings lie in the scenario: one has a mark, one is old, and one never ages. */
scenario('validity', (made) => {
  test('what is invalid is replayed, and named once in the summary', () => {
    const replay = made('replay')
    expect(replay.titles('failed')).toEqual([])
    expect(replay.after).toEqual(replay.before)
    expect(replay.test('was called invalid').cassette).toMatchObject({ replayed: 2, recorded: 0 })
    expect(invalidIn(replay)).toEqual({
      'was called invalid': [MARK],
      'is old, by a clock of its own': [expect.stringMatching(AGE)],
      'fails often': [],
    })
    const { output } = whole('replay')
    const named = `validity/__recordings__/orders.test.ts/was-called-invalid-549e63bb98.json\n`
    expect(output.split(named)).toHaveLength(2)
    expect(output).toContain(`${MARK}\n               ${named}`)
    expect(output).not.toContain(' validity/__recordings__/orders.test.ts/fails-often')
  })

  test('what is invalid fails its test where the option says so, and is not recorded in CI', () => {
    const ci = madeOf('validity-fails', 'ci')
    expect(ci.titles('failed')).toEqual(['is old, by a clock of its own', 'was called invalid'])
    expect(ci.titles('passed')).toEqual(['fails often'])
    for (const title of ci.titles('failed')) expect(ci.code(title)).toBe('invalid-recording')
    expect(ci.after).toEqual(ci.before)
    expect(ci.text('was called invalid')).toMatch(/× mark: .*\n +✓ age: /)
    expect(ci.text('is old')).toMatch(/✓ mark: .*\n +× age: /)
  })

  test('the failure by an invalid recording names the commands that record it, and that keep it', () => {
    const text = madeOf('validity-fails', 'ci').text('was called invalid')
    expect(text.match(/npx vitest-cassette .*/g)).toEqual([
      "npx vitest-cassette record orders.test.ts --project validity-fails -t '^was called invalid$'",
      'npx vitest-cassette invalidate --undo validity-fails/__recordings__/orders.test.ts/was-called-invalid-549e63bb98.json',
    ])
  })

  test('verify says what each strategy says', async () => {
    const words = ['verify', '--max-age', '90', '--retired-models', 'gpt-4*']
    const warned = await made('replay').cli(...words)
    expect([warned.code, warned.out]).toEqual([0, warned.out])
    expect(warned.out).toMatch(
      /:5 {2}validity {2}\/invalid: .* × mark: .*the tool is gone; ✓ age: .*; ✓ models: /,
    )
    expect(warned.out).toMatch(/:36 {2}validity {2}\/timestamp: .*✓ mark: .*; × age: .*2020-01-01/)
    const failed = await made('replay').cli(...words, '--fail-on', 'invalid')
    expect(failed.code).toBe(1)
    expect(failed.out.match(/ validity /g)).toHaveLength(2)
  })

  test('RECORD=new records again what is invalid, all of it and nothing else', async () => {
    const recorded = made('new')
    expect(recorded.titles('failed')).toEqual([])
    const counts = recorded.tests.map(({ cassette }) => [cassette.replayed, cassette.recorded])
    expect(counts).toEqual([
      [0, 2],
      [0, 1],
      [1, 0],
    ])
    expect(Object.values(invalidIn(recorded)).flat()).toEqual([])
    const changed = recorded.cassettes.filter(
      (path) => recorded.after[path] !== recorded.before[path],
    )
    expect(changed.map((path) => path.split('/')[1]!.slice(0, 6))).toEqual(['is-old', 'was-ca'])
    expect(recorded.cassette('was-called-invalid')).not.toHaveProperty('invalid')
    const { code, out } = await recorded.cli('verify', '--max-age', '90', '--fail-on', 'invalid')
    expect([code, out]).toEqual([0, out])
  })

  test('the date of a recording is the real one, whatever time the test sets', () => {
    const dates = ['is-old', 'was-called'].map((slug) =>
      Date.parse(made('new').cassette(slug).timestamp),
    )
    // One of them sets 2001, and they are recorded one after the other.
    expect(Math.abs(dates[0]! - dates[1]!)).toBeLessThan(600_000)
  })

  test('a recording of a retired model fails its test, and tests with the same reason share the advice', async () => {
    const retired = madeOf('validity-retired', 'replay')
    expect(retired.titles('failed')).toHaveLength(3)
    for (const { errors } of retired.tests)
      expect(errors.map(({ code }) => code)).toEqual(['invalid-recording'])
    // The command names the file only where other files have invalid recordings, too.
    const text = retired.text('was called invalid').replace(/(--project \S+).*/, '$1')
    await expect(text).toMatchFileSnapshot('golden/validity/retired.txt')
  })

  test('a recording of a retired model is recorded again only when the code asks another model', () => {
    const alike = madeOf('validity-retired-warned', 'new')
    expect(alike.titles('failed')).toEqual([])
    expect(alike.after).toEqual(alike.before)
    for (const reasons of Object.values(invalidIn(alike)))
      expect(reasons).toEqual(['models: gpt-5 is retired'])
    const other = madeOf('validity-retired-warned', 'record again')
    expect(other.titles('failed')).toEqual([])
    expect(Object.values(invalidIn(other)).flat()).toEqual([])
  })
})

/** Why the recording of each test is invalid. */
function invalidIn({ tests }: Made): Record<string, string[] | undefined> {
  return Object.fromEntries(tests.map(({ title, cassette }) => [title, cassette.invalid]))
}
