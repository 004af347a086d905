import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { type Run, VitestProject } from './vitest-project.ts'

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

/** Tests of one title, each of which asks first for its own word, and then something that all of them ask. */
const rows = (words: readonly string[], suite: string) => `import { describe, test } from 'vitest'
import { ask } from '../ask.ts'

${suite}('rows', () => {
  for (const word of ${JSON.stringify(words)})
    test('row', async () => {
      await ask(word)
      await ask('And then?')
    })
})
`

class Rows {
  readonly project = new VitestProject('summary', { UPSTREAM_URL: upstream.oddUrl })
  readonly #suite: string

  constructor(suite: string) {
    this.#suite = suite
  }

  put(...words: string[]): void {
    this.project.write('rows.test.ts', rows(words, this.#suite))
  }

  async run(env: Record<string, string> = {}): Promise<Run & { calls: number }> {
    return this.#count(() => this.project.run(['rows'], env))
  }

  async cli(words: string): Promise<Run & { calls: number }> {
    return this.#count(() => this.project.cli(words))
  }

  async #count(run: () => Promise<Run>): Promise<Run & { calls: number }> {
    const before = await upstream.count()
    const made = await run()
    return { ...made, calls: (await upstream.count()) - before }
  }

  /** The first prompt of each cassette, by its name. */
  get asked(): Record<string, string> {
    const files = this.project.files().filter((file) => file.startsWith('rows.test.ts/'))
    return Object.fromEntries(
      files.map((file) => [
        file,
        this.project.json(`__recordings__/${file}`).exchanges[0].prompt.text,
      ]),
    )
  }

  get kinds(): Array<string | undefined> {
    return this.project.failures().map(({ kind }) => kind)
  }
}

describe.each(['describe', 'describe.concurrent'])('rows in %s', (suite) => {
  test('RECORD=new records a row that was put first, and nothing else, in one run', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'beta')
    expect(await all.run({ RECORD: '1' })).toMatchObject({ exitCode: 0, calls: 4 })
    const known = all.asked
    all.put('zero', 'alpha', 'beta')
    const replay = await all.run()
    expect(replay, replay.output).toMatchObject({ exitCode: 1, calls: 0 })
    expect(replay.output).toContain('4 replayed')
    expect(all.kinds).toEqual(['unrecorded'])
    const recording = await all.run({ RECORD: 'new' })
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 2 })
    expect(Object.values(all.asked).toSorted()).toEqual(['alpha', 'beta', 'zero'])
    expect(all.asked).toMatchObject(known)
    const contents = all.project.contents()
    for (const env of [{ RECORD: 'new' }, { RECORD: 'new' }, {}, { CI: 'true' }]) {
      const run = await all.run(env as Record<string, string>)
      expect(run, run.output).toMatchObject({ exitCode: 0, calls: 0 })
      expect(run.output).toContain('6 replayed')
    }
    expect(all.project.contents()).toEqual(contents)
    expect(await all.project.findings()).toEqual([])
  })

  test('rows that are exchanged or removed replay', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'beta', 'gamma')
    await all.run({ RECORD: '1' })
    const contents = all.project.contents()
    all.put('gamma', 'alpha', 'beta')
    expect(await all.run({ CI: 'true' })).toMatchObject({ exitCode: 0, calls: 0 })
    all.put('gamma', 'alpha')
    const removed = await all.run()
    expect(removed, removed.output).toMatchObject({ exitCode: 0, calls: 0 })
    expect(all.project.contents()).toEqual(contents)
    all.project.remove('summary.test.ts')
    const pruned = await all.cli('prune --yes')
    expect(pruned, pruned.output).toMatchObject({ exitCode: 0, calls: 0 })
    expect(Object.values(all.asked).toSorted()).toEqual(['alpha', 'gamma'])
    expect(await all.run({ CI: 'true' })).toMatchObject({ exitCode: 0, calls: 0 })
  })

  test('a row that changed keeps its file, and costs its own calls alone', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'beta', 'gamma')
    await all.run({ RECORD: '1' })
    const files = Object.keys(all.asked)
    all.put('alpha', 'beta, please', 'gamma')
    const replay = await all.run()
    expect(replay, replay.output).toMatchObject({ exitCode: 1, calls: 0 })
    expect(all.kinds).toEqual(['changed'])
    const recording = await all.cli('record --changed rows')
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 2 })
    expect(Object.keys(all.asked)).toEqual(files)
    expect(Object.values(all.asked).toSorted()).toEqual(['alpha', 'beta, please', 'gamma'])
    expect(await all.run({ CI: 'true' })).toMatchObject({ exitCode: 0, calls: 0 })
  })

  test('record --missing records a row that was put first, and nothing else', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'beta')
    await all.run({ RECORD: '1' })
    all.put('zero', 'alpha', 'beta')
    const recording = await all.cli('record --missing rows')
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 2 })
    expect(await all.run()).toMatchObject({ exitCode: 0, calls: 0 })
  })

  test('all rows changed at once are recorded in their own files', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'beta')
    await all.run({ RECORD: '1' })
    const files = Object.keys(all.asked)
    all.put('one', 'two')
    const recording = await all.run({ RECORD: '1' })
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 4 })
    expect(Object.keys(all.asked)).toEqual(files)
    expect(await all.run({ CI: 'true' })).toMatchObject({ exitCode: 0, calls: 0 })
  })

  test('a change of all rows is compared, and recorded, row by row, whatever was put first before', async () => {
    const all = new Rows(suite)
    all.put('Go to alpha', 'Go to beta')
    await all.run({ RECORD: '1' })
    all.put('Go to zero', 'Go to alpha', 'Go to beta')
    await all.run({ RECORD: 'new' })
    const known = all.asked
    all.put('Go to zero now', 'Go to alpha now', 'Go to beta now')
    const replay = await all.run()
    expect(replay, replay.output).toMatchObject({ exitCode: 1, calls: 0 })
    const headlines = all.project.failures().map(({ headline }) => headline)
    expect(headlines).toHaveLength(3)
    expect(new Set(headlines).size).toBe(1)
    const recording = await all.run({ RECORD: '1' })
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 6 })
    const changed = Object.entries(known).map(([file, prompt]) => [file, `${prompt} now`])
    expect(all.asked).toEqual(Object.fromEntries(changed))
  })

  test('rows that begin alike are told apart by their order', async () => {
    const all = new Rows(suite)
    all.put('alpha', 'alpha', 'beta')
    await all.run({ RECORD: '1' })
    expect(Object.keys(all.asked)).toHaveLength(3)
    all.put('zero', 'alpha', 'alpha', 'beta')
    expect(await all.run({ RECORD: 'new' })).toMatchObject({ exitCode: 0, calls: 2 })
    expect(await all.run({ CI: 'true' })).toMatchObject({ exitCode: 0, calls: 0 })
  })
})
