import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Progress } from '../../../src/tools/terminal/progress.ts'
import { cassettePath } from '../../../src/cassette/paths.ts'
import { exampleCassette } from '../../cassette/example-cassette.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

/** Works through items, each of which takes so many milliseconds; returns what was written. */
function workThrough(
  items: number,
  takes: number,
  stream: { isLive: boolean; columns?: number },
): string[] {
  const written: string[] = []
  let time = 0
  const progress = new Progress({ ...stream, write: (text) => void written.push(text) }, () => time)
  const done: number[] = []
  for (const item of progress.over(
    Array.from({ length: items }).map((_, at) => at),
    'files read',
  )) {
    done.push(item)
    time += takes
  }
  expect(done).toHaveLength(items)
  return written
}

const CLEAR = '\r\u001B[2K'

test.for([true, false])(
  'what ends within two seconds says nothing (in a terminal: %s)',
  (isLive) => {
    expect(workThrough(1_999, 1, { isLive })).toEqual([])
  },
)

test('in a terminal one line is rewritten ten times a second, and goes in the end', () => {
  const written = workThrough(3_000, 1, { isLive: true })
  expect(written).toHaveLength(11)
  expect(written[0]).toBe(`${CLEAR}2,000 of 3,000 files read, 2 s`)
  expect(written.slice(0, -1).every((text) => text.startsWith(CLEAR))).toBe(true)
  expect(written.join('')).not.toContain('\n')
  expect(written.at(-1)).toBe(CLEAR)
})

test('outside of a terminal a line is written after two seconds, and every ten seconds from then on', () => {
  expect(workThrough(3_000, 10, { isLive: false })).toEqual([
    '200 of 3,000 files read, 2 s\n',
    '1,200 of 3,000 files read, 12 s\n',
    '2,200 of 3,000 files read, 22 s\n',
  ])
})

test('a line is never longer than the terminal is wide', () => {
  const written = workThrough(30, 1_000, { isLive: true, columns: 12 })
  expect(written[0]).toBe(`${CLEAR}2 of 30 fil`)
})

test('the line in a terminal goes when the work is given up, and before anything else is written', () => {
  const written: string[] = []
  let time = 0
  const progress = new Progress(
    { isLive: true, write: (text) => void written.push(text) },
    () => time,
  )
  const fail = (): void => {
    for (const item of progress.over([1, 2, 3], 'files read')) {
      time += 3_000
      if (item === 2) throw new Error('no space left')
    }
  }
  expect(fail).toThrow('no space left')
  expect(written).toEqual([`${CLEAR}1 of 3 files read, 3 s`, CLEAR])
  progress.clear()
  expect(written).toHaveLength(2)
})

test('work that does not say how far it is tells how long it takes', async () => {
  vi.useFakeTimers()
  try {
    const written: string[] = []
    const progress = new Progress(
      { isLive: false, write: (text) => void written.push(text) },
      Date.now,
    )
    const work = new Promise((resolve) => setTimeout(resolve, 15_000, 'done'))
    const result = progress.during(work, 'Still running tests')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await result).toBe('done')
    expect(written).toEqual(['Still running tests, 2 s\n', 'Still running tests, 12 s\n'])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

/** What only `recover` writes. */
const LEFT = 'a.test.ts/d-0123456789.json'

const COMMANDS: Array<[words: string, all: number]> = [
  ['verify', 3],
  ['verify --json', 3],
  ['show', 3],
  ['show --json', 3],
  ['show --stats', 3],
  ['show --stats --json', 3],
  ['history export --full --store stored', 3],
  ['import --store stored --force', 3],
  ['recover --yes', 1],
]

test('commands that take long say how far they are, and write the same as when they do not', async () => {
  using project = new CliProject()
  for (const title of ['a', 'b', 'c'])
    await project.save(
      cassettePath({ file: 'a.test.ts', titles: [title], ordinal: 0 }),
      exampleCassette({ title }),
    )
  const told: string[] = []
  for (const [words, all] of COMMANDS) {
    const run = async (now: () => number) => {
      rmSync(join(project.root, '__recordings__', LEFT), { force: true })
      await project.park(LEFT, exampleCassette({ title: 'd' }))
      project.progress = ''
      project.now = now
      return project.run(...words.split(' '))
    }
    const quick = await run(() => 0)
    expect(project.progress, words).toBe('')
    let time = 0
    expect(await run(() => (time += 6_000)), words).toEqual(quick)
    const lines = project.progress.trimEnd().split('\n')
    const says = new RegExp(String.raw`^\d of ${all} [a-z ]+, \d+ s$`)
    expect(
      lines.filter((line) => !says.test(line)),
      words,
    ).toEqual([])
    const steps = new Set(lines.map((line) => line.replaceAll(/^\d of \d |, \d+ s$/g, '')))
    told.push([`vitest-cassette ${words}`, ...steps].join('\n'))
  }
  await expectGolden(told.join('\n\n'), 'steps-of-commands')
})
