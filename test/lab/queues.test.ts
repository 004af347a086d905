import { describe, expect, test } from 'vitest'
import { isHere } from '../needs.ts'
import { type Made, scenario, whole } from './lab.ts'

/** One more where the clients are installed: that of LangChain. */
const QUEUES = isHere('clients') ? 11 : 10

/** The prompts of each cassette of a file, without the name of the queue. */
function promptsIn(made: Made, file: string): string[] {
  const cassettes = made.cassettes.filter((path) => path.startsWith(`${file}.test.ts/`))
  return cassettes
    .filter((path) => !path.includes('_file'))
    .map((path) => {
      const prompts: string[] = promptsAt(made, path)
      return [...new Set(prompts.map((text) => text.replace(/ by .*/, '')))].toSorted().join(', ')
    })
    .toSorted()
}

function promptsAt(made: Made, path: string): string[] {
  return made.json(path).exchanges.map(({ prompt }: any) => prompt.text)
}

const times = (count: number, lines: string[]): string[] =>
  lines.flatMap((line) => Array.from({ length: count }, () => line)).toSorted()

/** All tests pass, and each asks for what is recorded and for nothing else. */
function expectAllToReplay(made: Made, count: number): void {
  expect(made.titles('failed')).toEqual([])
  expect(made.titles('passed')).toHaveLength(count)
  for (const { title, cassette } of made.tests)
    expect([title, cassette.misses ?? 0, cassette.recorded ?? 0, cassette.unused ?? 0]).toEqual([
      title,
      0,
      0,
      0,
    ])
}

/** The tests of the files of queues, those of batchers, and those of queues that `isChosen` chooses. */
const ALL = QUEUES * 4 + QUEUES * 2 + (QUEUES - 1) * 3 + 6
const BATCHED = 15
const CHOSEN = QUEUES + QUEUES + (QUEUES - 1)

for (const [name, count] of [
  ['queues', ALL],
  ['queues-unisolated', ALL + BATCHED],
  ['queues-reversed', ALL + BATCHED],
] as const)
  scenario(name, (made) => {
    test('every test passes while it is recorded, and no request is late', () => {
      expect(made('record').titles('failed')).toEqual([])
      expect(made('record').titles('passed')).toHaveLength(count)
      const { errors, ofFiles } = whole('record')
      expect(ofFiles.filter((error) => error.scenario === name)).toEqual([])
      expect(errors.filter(({ text }) => /(lazy|early|side-by-side)\.test\.ts/.test(text))).toEqual(
        [],
      )
    })

    describe('what a queue asks belongs to the test that waits for it', () => {
      test('whichever test has started the queue', () => {
        expect(promptsIn(made('record'), 'lazy')).toEqual(
          times(QUEUES, ['one, two', 'again, four, three', 'again', 'repeated']),
        )
      })

      test('or if the file has started it', () => {
        expect(promptsIn(made('record'), 'early')).toEqual(times(QUEUES, ['first', 'second']))
        const ofFile = promptsAt(made('record'), 'early.test.ts/_file.json')
        expect(ofFile.length).toBeGreaterThan(0)
        expect(ofFile.every((text) => text.startsWith('warm up'))).toBe(true)
      })

      test('also among tests that run at the same time', () => {
        const whose = ['Ada', 'Bob', 'Cleo'].map((who) => `hello of ${who}, thanks of ${who}`)
        expect(promptsIn(made('record'), 'side-by-side')).toEqual(times(QUEUES - 1, whose))
      })
    })

    test('all of it replays with the provider away, in the order of the file', () => {
      expectAllToReplay(made('replay'), count)
    })
  })

scenario('queues', (made) => {
  test('one call for several tests is in the cassette of the file, and the run says so', () => {
    const [prompt] = promptsAt(made('record'), 'batch.test.ts/_file.json')
    expect(prompt!.split(',').toSorted()).toEqual(['a', 'b', 'c'])
    expect(whole('record').output).toMatch(/1 call is in \S*queues\S+batch\.test\.ts\/_file\.json/)
  })

  test('a test that polls for the answer keeps its call, if it has woken the queue', () => {
    expect(promptsIn(made('record'), 'batch')).toEqual(['at last', 'early', 'later'])
  })

  test.for([
    ['in threads', 'threads', ALL],
    ['in a vm pool', 'vmThreads', ALL],
    ['without isolation', 'without isolation', ALL],
    ['in the opposite order', 'new', ALL],
    ['at the same time', 'prompts', ALL],
    ['one test of each queue alone', 'ci', CHOSEN],
  ] as const)('all that queues ask replays, %s', ([, run, count]) => {
    expectAllToReplay(made(run), count)
  })

  test.for(['p-queue', 'loop', 'flusher', 'bus'])(
    'a changed prompt fails the test that waits for it, and is all that is named: %s',
    (name) => {
      for (const [title, before, after] of [
        [`${name} > finds it`, 'four', 'for'],
        [`${name} > asks the second time`, 'second', 'last'],
      ]) {
        expect(made('changed').code(title!)).toBe('miss')
        expect(made('changed').changes(title!)).toEqual([
          { place: 'message 1 user', before, after },
        ])
      }
    },
  )

  test('a changed prompt fails no other test, and no file', () => {
    const failed = made('changed').titles('failed')
    expect(failed).toHaveLength(8)
    for (const title of failed) expect(title).toMatch(/ > (finds it|asks the second time)$/)
    expect(whole('changed').ofFiles.filter((error) => error.scenario === 'queues')).toEqual([])
  })
})

scenario('queues-unisolated', (made) => {
  test('one test of each queue replays alone, without isolation', () => {
    expectAllToReplay(made('ci'), CHOSEN + 3)
  })
})

scenario('queues-batchers', (made) => {
  test('a batcher of concurrent tests asks for the file where no promise tells whose call it is', () => {
    expect(made('record').titles('failed')).toEqual([])
    const questions = ['hello of Cleo', 'hello of Dan', 'hello of Eve']
    const asked = promptsAt(made('record'), 'batchers.test.ts/_file.json')
    expect(asked).toEqual(expect.arrayContaining(questions.map((one) => `${one}, all at once`)))
    expect(whole('record').output).toMatch(
      /calls are in \S*queues-batchers\S+batchers\.test\.ts\/_file\.json/,
    )
  })

  test.for([
    ['all', 'replay', 15],
    ['all, in a vm pool', 'vmThreads', 15],
    ['one of two and one of three alone: Ada, Cleo', 'threads', 6],
    ['one of two and one of three alone: Bob, Dan', 'without isolation', 6],
    ['one of three alone: Eve', 'ci', 3],
    ['one test of one batcher alone: Dan', 'prompts', 1],
    ['one test of two batchers alone: Ada', 'new', 1],
  ] as const)('tests that share a batcher replay, %s', ([, run, count]) => {
    expectAllToReplay(made(run), count)
  })

  test('a changed prompt fails all tests of a batcher, and is named in one', () => {
    expect(made('changed').titles('passed')).toEqual([])
    const changes = made('changed').tests.flatMap(
      ({ cassette }) => cassette.missed?.flatMap((missed) => missed.changes ?? []) ?? [],
    )
    expect(changes).toContainEqual({
      place: 'message 1 user',
      before: 'thanks',
      after: 'thank you',
    })
  })
})

scenario('queues-batchers-alone', (made) => {
  test('a changed prompt of a batcher fails its test alone, with the closest exchange of the file', () => {
    const [failed] = made('changed').titles('failed')
    expect(failed).toBe('all at once for 3 > Dan')
    expect(made('changed').titles('failed')).toHaveLength(1)
    expect(made('changed').titles('passed')).toEqual([])
    expect(made('changed').code(failed!)).toBe('miss')
    expect(made('changed').changes(failed!)).toContainEqual({
      place: 'message 1 user',
      before: 'thanks',
      after: 'thank you',
    })
    const [missed] = made('changed').test(failed!).cassette.missed!
    expect(missed!.exchange).toMatch(/^exchange-\d+$/)
    // Its calls are stored for the file, so the command is that of the file, and has no --prompts.
    const commands = made('changed')
      .text(failed!)
      .match(/npx vitest-cassette .*/g)
    expect(commands).toContain(
      'npx vitest-cassette record batchers.test.ts --project queues-batchers-alone',
    )
    expect(commands!.join()).not.toContain('--prompts')
  })
})

test('in a vm pool no promise is followed, and the requests of a queue that come late fail their file while recording', () => {
  const errors = whole('record').ofFiles.filter(({ scenario: name }) => name === 'queues-vm')
  expect(errors.map(({ code }) => code)).toEqual(['outside-test'])
})
