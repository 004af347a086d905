import pc from 'picocolors'
import { expect, test } from 'vitest'
import type { CassetteMeta } from '../../../../src/attempt/count-requests.ts'
import { describeRaw } from '../../../../src/cassette/store.ts'
import { renderSummary } from '../../../../src/runners/vitest/reporters/run-summary.ts'
import { expectGolden } from '../../../golden.ts'

function left(number: number, why: string, title: string = `test ${number}`): CassetteMeta {
  return {
    replayed: 0,
    recorded: 1,
    misses: 0,
    unused: 0,
    kept: 0,
    handOvers: [{ test: `a.test.ts > ${title}`, what: `left its recording: ${why}` }],
    saved: [],
    cassette: `__recordings__/a.test.ts/test-${number}.json`,
    invalid: [],
  }
}

test('many tests that left their recordings with one change are one line', () => {
  const metas = [1, 2, 3].map((number) => left(number, 'the rule changed'))
  const text = renderSummary([...metas, left(4, 'the model changed')], pc.createColors(false))
  expect(text).toContain('Handed over  4 conversations\n')
  expect(text.match(/the rule changed/g)).toHaveLength(1)
  expect(text).toContain('3 tests: left its recording: the rule changed\n')
  expect(text).toContain('a.test.ts > test 4: left its recording: the model changed\n')
})

test('tests whose titles have a colon are counted together, too', () => {
  const metas = [1, 2, 3].map((number) => left(number, 'the rule changed', `case ${number}: asks`))
  const text = renderSummary(metas, pc.createColors(false))
  expect(text).toContain('3 tests: left its recording: the rule changed\n')
  expect(text).not.toContain('asks')
})

test('prompts that hold the date of today are named once', async () => {
  const dated = (number: number, text: string): CassetteMeta => ({
    ...left(number, ''),
    handOvers: [],
    varying: [{ rule: 'date-phrase', text }],
  })
  const paint = pc.createColors(false)
  const two = renderSummary([dated(1, 'November 26, 2026'), dated(2, '2026-11-26')], paint)
  const one = renderSummary([dated(1, '2026-11-26')], paint)
  expect(two).toMatch(/ Dates {2}2 .*\(November 26, 2026\)/)
  expect(one).toMatch(/ Dates {2}1 .*\(2026-11-26\)/)
  await expectGolden([two, one].map(datesIn).join('\n\n'), 'dates')
  expect(renderSummary([left(1, '')], paint)).not.toContain('Dates')
})

test('prompts that hold a temporary folder are named beside them', async () => {
  const varying = [{ rule: 'tmp-path' as const, text: '/tmp/agent-q3XgTf' }]
  const summary = renderSummary(
    [{ ...left(1, ''), handOvers: [], varying }],
    pc.createColors(false),
  )
  expect(summary).not.toContain('Dates')
  await expectGolden(summary.slice(summary.indexOf('Folders')).trimEnd(), 'folders')
})

/** The row of a summary that is about dates, with what follows it. */
function datesIn(summary: string): string {
  return summary.slice(summary.indexOf('Dates')).trimEnd()
}

test('in watch mode, a run that misses says where its command can be run', async () => {
  const paint = pc.createColors(false)
  const missed = { ...left(1, ''), handOvers: [], misses: 1 }
  const [watching] = /Watching .*/.exec(renderSummary([missed], paint, true))!
  await expectGolden(watching, 'watching')
  expect(renderSummary([missed], paint)).not.toContain('Watching')
  expect(renderSummary([left(1, '')], paint, true)).not.toContain('Watching')
})

test('what replay saved is counted by the prices of the tests, and names what cannot be counted', () => {
  const counted = { model: 'house', usage: { inputTokens: 10, outputTokens: 2 }, isFree: false }
  const prices = { house: { input: 1_000, output: 10_000 } }
  const replayed = { ...left(1, ''), handOvers: [], replayed: 1, recorded: 0, saved: [counted] }
  const paint = pc.createColors(false)
  expect(renderSummary([{ ...replayed, prices }], paint)).toMatch(
    /^ {6}Saved {2}1 call, 12 tokens, \$0\.0300\b/m,
  )
  const text = renderSummary([{ ...replayed, prices }, replayed], paint)
  expect(text).toMatch(
    /^ {6}Saved {2}2 calls, 24 tokens, > \$0\.0300\b.*\n +The cost of 1 exchange/m,
  )
})

test('a key that a provider refused is named once', async () => {
  const refused = (number: number): CassetteMeta => ({
    ...left(number, ''),
    handOvers: [],
    refused: 'OPENAI_API_KEY (401)',
  })
  const summary = renderSummary([refused(1), refused(2)], pc.createColors(false))
  expect(summary.match(/OPENAI_API_KEY \(401\)/g)).toHaveLength(1)
  const [keys] = /Keys .*/.exec(summary)!
  expect(keys).toContain(' 2 tests')
  await expectGolden(keys, 'refused-key')
})

test('an exchange that is stored as raw bytes is named with its test', async () => {
  const raw = `a.test.ts > asks\n${describeRaw('__recordings__/a.json', [{ id: 'exchange-2', why: 'lost' }])}`
  const text = renderSummary([{ ...left(1, ''), raw }], pc.createColors(false))
  expect(text).toMatch(/ Raw bytes {2}__recordings__\/a\.json: exchange-2 .*internal/s)
  expect(text).toContain('a.test.ts > asks\n')
  await expectGolden(text.slice(text.indexOf('Raw bytes'), text.indexOf('Handed')).trimEnd(), 'raw')
  expect(renderSummary([left(1, '')], pc.createColors(false))).not.toContain('Raw bytes')
})

test('a reason for which recordings are invalid is said once', () => {
  const invalid = (number: number, reason: string): CassetteMeta => ({
    ...left(number, ''),
    handOvers: [],
    invalid: [reason],
  })
  const metas = [1, 2, 3].map((number) => invalid(number, 'failures: 3 in a row'))
  const text = renderSummary([...metas, invalid(4, 'age: 91 days')], pc.createColors(false))
  expect(text.match(/failures: 3 in a row/g)).toHaveLength(1)
  expect(text.match(/age: 91 days/g)).toHaveLength(1)
  for (const number of [1, 2, 3, 4]) expect(text).toContain(`a.test.ts/test-${number}.json`)
})
