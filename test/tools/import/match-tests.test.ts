import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  matchTests,
  type RecordingName,
  type TestName,
} from '../../../src/tools/import/match-tests.ts'

const name = (file: string, ...titles: string[]): TestName => ({ file, titles })

const TESTS = [
  name('test/openai.test.ts', 'OpenAI', 'should set attributes for chat'),
  name('test/openai.test.ts', 'OpenAI', 'should stream'),
  name('test/anthropic.test.ts', 'Anthropic', 'should stream'),
  name('test/summary.test.ts', 'summarizes'),
]

test.for<[what: string, recording: RecordingName, found: number]>([
  ['titles', { file: 'a.har', name: ['OpenAI', 'should stream'] }, 1],
  ['titles joined by Polly', { file: 'a.har', name: 'Anthropic/should stream' }, 2],
  [
    'the folders of Polly, with their hashes',
    { file: 'recordings/OpenAI_1234567890/should-set-attributes-for-chat_987654321/recording.har' },
    0,
  ],
  ['a slug', { file: 'nocks/should_set_attributes_for_chat.json' }, 0],
  ['a title, and the folder of its file', { file: 'anthropic/should-stream.yaml' }, 2],
  [
    'a title, and its file',
    { file: 'x.yaml', name: 'should stream', testFile: 'openai.test.ts' },
    1,
  ],
  ['the beginning of a slug', { file: 'openai-should-set-attri.json' }, 0],
  [
    'a suite around all',
    { file: 'x', name: ['Root suite', 'OpenAI', 'should set attributes for chat'] },
    0,
  ],
  ['the file of one test', { file: 'fixtures/summary.json' }, 3],
])('finds a test by %s', ([, recording, index]) => {
  expect(matchTests([recording], TESTS).found.get(recording)).toBe(TESTS[index])
})

test('says which tests it could be, and what is no test', () => {
  const [one, other] = [{ file: 'should-stream.json' }, { file: 'weather.json' }]
  const { found, ambiguous, left } = matchTests([one, other], TESTS)
  expect(found.size).toBe(0)
  expect(ambiguous.get(one)).toEqual([TESTS[1], TESTS[2]])
  expect(left).toEqual([other])
})

test('says which tests begin with a short name, and gives it none of them', () => {
  const tests = [
    name('a.test.ts', 'Orders', 'lists all'),
    name('a.test.ts', 'Orders', 'lists one'),
    name('a.test.ts', 'Orders', 'lists none'),
    name('a.test.ts', 'Orders', 'asks'),
  ]
  const [one, other, taken, short] = ['lists', 'asks twice', 'lists none', 'as'].map((file) => ({
    file: `${file}.json`,
  })) as [RecordingName, RecordingName, RecordingName, RecordingName]
  const { found, ambiguous, left } = matchTests([one, other, taken, short], tests)
  expect([...found]).toEqual([[taken, tests[2]]])
  expect([...ambiguous]).toEqual([[one, [tests[0], tests[1]]]])
  expect(left).toEqual([other, short])
})

test('two recordings of one name are for nobody', () => {
  const recordings = ['a/summarizes.har', 'b/summarizes.har'].map((file) => ({ file }))
  const { found, ambiguous } = matchTests(recordings, TESTS)
  expect([found.size, ambiguous.size]).toEqual([0, 2])
})

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const titles = fc.array(word, { minLength: 1, maxLength: 3 })
const tests = fc.uniqueArray(fc.record({ file: word.map((one) => `${one}.test.ts`), titles }), {
  selector: (one) => JSON.stringify(one),
  maxLength: 8,
})
const recordings = fc.array(
  fc.record(
    {
      file: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((pieces) => `${pieces.join('/')}.har`),
      name: titles,
    },
    { requiredKeys: ['file'] },
  ),
  { maxLength: 8 },
)

test('each recording has one outcome, no test has two, and the order of neither counts', () => {
  fc.assert(
    fc.property(recordings, tests, fc.nat(), (all, some, seed) => {
      const { found, ambiguous, left } = matchTests(all, some)
      expect(found.size + ambiguous.size + left.length).toBe(all.length)
      expect(new Set(found.values()).size).toBe(found.size)
      const turned = <Item>(items: Item[]): Item[] =>
        items.toSorted((one, other) => hashOf(one, seed) - hashOf(other, seed))
      const again = matchTests(turned(all), turned(some))
      for (const [recording, one] of found) expect(again.found.get(recording)).toBe(one)
      expect(new Set(again.left)).toEqual(new Set(left))
    }),
  )
})

test('a recording with the titles of a test that no other test has is always found', () => {
  fc.assert(
    fc.property(tests, (some) => {
      const spelled = Map.groupBy(some, (one) => one.titles.join(''))
      const alone = some.filter((one) => spelled.get(one.titles.join(''))!.length === 1)
      const own = alone.map((one) => ({ file: 'recording.har', name: one.titles }))
      const { found } = matchTests(own, alone)
      const missed = alone.filter((one, index) => {
        const others = alone.filter((other) => endsAs(other, one))
        return others.length === 1 && found.get(own[index]!) !== one
      })
      expect(missed).toEqual([])
    }),
  )
})

/** Whether a test has the titles of another, alone or behind the name of its file. */
function endsAs({ file, titles }: TestName, other: TestName): boolean {
  const whole = titles.join('')
  return [whole, file.replace('.test.ts', '') + whole].includes(other.titles.join(''))
}

function hashOf(item: unknown, seed: number): number {
  return [...JSON.stringify(item)].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) | 0, seed)
}
