import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { type Made, made as madeOf, scenario, whole } from './lab.ts'

const STATUSES = [401, 403, 429, 500, 503]
const PARKED = 'node_modules/.cache/vitest-cassette/parked/__recordings__/errors.test.ts'

scenario('retries', (made) => {
  test('of a test that is tried again, the attempt that passes is saved and no other', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(textsOf(made('record'), 'passes-at-the-third')).toEqual([
      ['numbered retry', 'Odd: numbered retry (3)'],
      ['Is it well?', 'Odd: Is it well?'],
    ])
  })

  test('every attempt replays from the beginning', () => {
    const replay = made('replay')
    expect(replay.titles('failed')).toEqual([])
    for (const attempt of [1, 2, 3])
      expect(replay.result(`attempt-${attempt}`)).toBe('Odd: numbered retry (3)')
  })

  test('what an attempt did that was tried again leaves no failure, no parked answer and no miss', () => {
    const recorded = made('record').test('passes at the third attempt').cassette
    expect(recorded).toMatchObject({ recorded: 2, misses: 0, kept: 0 })
    const { state, errors, cassette } = made('changed').test('asks what is recorded at its second')
    expect(state).toBe('passed')
    expect(errors).toHaveLength(1)
    expect(cassette).toMatchObject({ replayed: 2, misses: 0 })
    expect(cassette.missed).toBeUndefined()
    expect(made('changed').ofFiles).toEqual([])
  })

  // The provider fails once for each text, and is well in all later runs.
  test('errors that a retry overcame are in no cassette, as if the provider had not failed', () => {
    const [record, again] = [made('record'), made('record again')]
    const ofFile = (run: Made) => run.tests.filter(({ file }) => file === 'overcome.test.ts')
    const sum = (numbers: Array<number | undefined>) => numbers.reduce((a, b = 0) => a! + b, 0)
    expect(sum(ofFile(record).map(({ cassette }) => cassette.overcome))).toBe(11)
    expect(sum(ofFile(record).map(({ cassette }) => cassette.recorded))).toBe(14)
    expect(sum(ofFile(again).map(({ cassette }) => cassette.overcome))).toBe(0)
    expect(undated(again, 'overcome')).toEqual(undated(record, 'overcome'))
    expect(sum(ofFile(made('replay')).map(({ cassette }) => cassette.replayed))).toBe(14)
    expect(whole('record').output).toMatch(/Retried +\d+ errors, .* recordErrors: true/)
  })

  test('errors that the AI SDK or LangChain overcame are in no cassette', needs('clients'), () => {
    for (const title of ['frameworks > AI SDK', 'frameworks > LangChain']) {
      const { cassette } = made('record').test(title)
      expect(cassette).toMatchObject({ recorded: 1, overcome: 1 })
      expect(made('record again').test(title).cassette.overcome).toBeUndefined()
      expect(made('replay').test(title).cassette.replayed).toBe(1)
    }
    expect(undated(made('record again'), 'frameworks')).toEqual(
      undated(made('record'), 'frameworks'),
    )
  })

  test('a miss fails the test at its last attempt too, and where a failure is expected', () => {
    const changed = made('changed')
    const titles = ['expects the wrong answer', 'passes at the third attempt']
    expect(changed.titles('failed')).toEqual(titles)
    for (const title of titles)
      for (const { code } of changed.test(title).errors)
        expect([title, code]).toEqual([title, 'miss'])
  })

  test('a recording that ends in an error of the provider fails, and is parked', async () => {
    const again = made('record again')
    expect(again.titles('failed')).toEqual(
      [...STATUSES, 404].map((status) => `survives ${status}`).toSorted(),
    )
    const ofErrors = again.cassettes.filter((path) => path.startsWith('errors.test.ts/'))
    expect(ofErrors).toHaveLength(6)
    for (const path of ofErrors) {
      expect(again.after[path]).toBe(made('record').after[path])
      const [, status] = /survives-(\d+)/.exec(path)!
      expect(again.code(`survives ${status}`)).toBe('recording-failed')
      expect(again.read(`${PARKED}/${path.split('/')[1]}`)).toContain(`asked for ${status}`)
    }
    for (const status of [401, 404, 429])
      await expect(again.text(`survives ${status}`)).toMatchFileSnapshot(
        `golden/retries/${status}.txt`,
      )
  })

  test('errors are kept where a test asks for it, and replay', () => {
    const record = madeOf('retries-kept', 'record')
    expect(record.titles('failed')).toEqual([])
    const statuses = record.exchanges('is-kept').map(({ response }) => response.sent.status)
    expect(statuses).toEqual([429, 200])
    // In the pool of threads it asks for nothing.
    for (const run of ['replay', 'threads'] as const) {
      const replay = madeOf('retries-kept', run)
      expect(replay.titles('failed')).toEqual([])
      expect(replay.test('an error that a retry overcame').cassette.replayed).toBe(2)
    }
  })

  test('an error that was kept is lost when it is recorded again without the option, and the answer stays', () => {
    const [, stored] = madeOf('retries-kept', 'record').exchanges('is-kept')
    const [alone, ...others] = madeOf('retries-kept', 'record again').exchanges('is-kept')
    expect(others).toEqual([])
    expect(JSON.stringify(alone.response)).toBe(
      JSON.stringify(stored.response).replaceAll('exchange-2', 'exchange-1'),
    )
  })

  test('an error that is the last answer is saved where a test asks for it, also in the place of a good answer', () => {
    const [record, again] = ['record', 'record again'].map((run) =>
      madeOf('retries-kept', run as 'record'),
    ) as [Made, Made]
    expect(again.titles('failed')).toEqual([])
    for (const status of [...STATUSES, 404]) {
      const statusIn = (run: Made, slug: string): number[] =>
        run.exchanges(slug).map(({ response }) => response.sent.status)
      expect(statusIn(record, `${status}-from`)).toEqual([status])
      expect(statusIn(record, `${status}-in`)).toEqual([200])
      expect(statusIn(again, `${status}-in`)).toEqual([status])
    }
    for (const { cassette } of [...record.tests, ...again.tests])
      expect(cassette.odd).toBeUndefined()
  })
})

/** The question and the answer of each exchange. */
function textsOf(run: Made, slug: string): Array<[string, string]> {
  return run.exchanges(slug).map(({ prompt, response }) => [prompt.text, response.text])
}

/** The cassettes of a file without dates and durations. */
function undated(run: Made, file: string): string[] {
  const dates = /"(?:timestamp|duration_ms)": [^\n]+/g
  const paths = run.cassettes.filter((path) => path.startsWith(`${file}.test.ts/`))
  return paths.map((path) => run.after[path]!.replace(dates, ''))
}
