import { expect, test } from 'vitest'
import { type LabTest, made as madeOf, scenario, whole } from './lab.ts'
import type { RunName } from './runs.ts'

scenario('odd-answers', (made) => {
  test.for([
    ['an error', 'gets a good answer first, then that of a bad request'],
    ['a page', 'gets a good answer first, then that of a login page'],
    ['another API', 'gets a good answer first, then that of another API'],
    ['half a stream', 'gets a good stream first, then that of a stream that ends early'],
  ])('the refusal of an answer says what was got: %s', async ([what, title]) => {
    const text = made('record again').text(`the same model > ${title}`)
    await expect(text).toMatchFileSnapshot(`golden/odd-answers/${what!.replaceAll(' ', '-')}.txt`)
  })

  test.for(['a mistyped model', 'the same model'])(
    'no good answer is replaced by an odd one, asked of %s',
    (who) => {
      const [record, again] = [made('record'), made('record again')]
      const tests = again.tests.filter(({ title }) => title.startsWith(`${who} > `))
      expect(tests).toHaveLength(10)
      for (const { title, state, errors } of tests) {
        expect([title, state]).toEqual([title, 'failed'])
        expect(errors.map(({ code }) => code)).toEqual(['recording-failed'])
        expect([title, record.test(title).state]).toEqual([title, 'passed'])
        expect(record.test(title).cassette.odd).toBeUndefined()
      }
      expect(again.cassettes).toEqual(record.cassettes)
      for (const path of record.cassettes.filter((one) => one.includes('/gets-a-good-')))
        expect(again.after[path]).toBe(record.after[path])
      expect(toRecover('record again', 'odd-answers')).toEqual([])
    },
  )

  test('an error that is recorded already is recorded again as it is', () => {
    const { state, cassette } = one('record again', 'asks')
    expect([state, cassette.recorded, cassette.odd]).toEqual(['passed', 1, undefined])
  })

  test('what is odd in a first recording is noted and saved', () => {
    const record = made('record')
    expect(record.titles('failed')).toEqual([])
    expect(one('record', 'asks').cassette.odd).toMatchObject([
      { kind: 'error', what: '404 asked for 404' },
    ])
    expect(one('record', 'streams').cassette.odd).toMatchObject([{ kind: 'broken' }])
    expect(one('record', 'aborts').cassette.odd).toBeUndefined()
  })

  test('what is odd in a recording replays, and is noted no more', () => {
    const replay = made('replay')
    expect(replay.titles('failed')).toEqual([])
    expect(replay.titles('passed')).toHaveLength(24)
    for (const { cassette } of replay.tests) expect(cassette.odd).toBeUndefined()
  })

  test('verify finds the stream that stops, and neither one that the test left nor an error', async () => {
    const { code, out } = await made('record').cli('verify')
    expect([code, out]).toEqual([0, out])
    expect(out.match(/\S+\.json.* broken-answers /g)).toEqual([
      expect.stringContaining('/streams-'),
    ])
    expect(out).not.toMatch(/aborts-|asks-/)
  })

  test('an error that stands beside good answers is saved and noted', () => {
    const again = made('record again')
    const { state, cassette } = again.test('asks once more')
    expect(state).toBe('passed')
    expect(cassette.odd).toMatchObject([{ kind: 'error', what: '400 asked for 400' }])
    const statuses = again.exchanges('asks-once-more').map(({ response }) => response.sent.status)
    expect(statuses).toEqual([200, 400])
  })

  test('the failure of a test that got an odd answer shows it', async () => {
    const text = madeOf('odd-answers-asserts', 'record').text(
      'expects what it does not get: a page',
    )
    await expect(text).toMatchFileSnapshot('golden/odd-answers/failed-by-a-page.txt')
  })

  test('the paid answer of a test that failed is kept', () => {
    const record = madeOf('odd-answers-asserts', 'record')
    expect(record.test('expects what it does not get: another answer').state).toBe('failed')
    expect(record.cassettes).toEqual([])
    expect(toRecover('record', 'odd-answers-asserts')).toEqual([
      expect.stringContaining('another-answer'),
    ])
  })

  function one(run: RunName, title: string): LabTest {
    return made(run).tests.find((test) => test.title === title)!
  }
})

/** The lines about answers of a scenario that can be recovered. */
function toRecover(run: RunName, name: string): string[] {
  const lines = whole(run).output.split('\n')
  return lines.filter((line) =>
    new RegExp(`^\\[vitest-cassette\\] ${name}/.* npx vitest-cassette recover$`).test(line),
  )
}
