import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('record', { UPSTREAM_URL: upstream.oddUrl })
  project.write('.env', 'OPENAI_API_KEY=not-a-key-at-all\n')
  const prices = '{"gpt-5":{"input":1000,"output":1000},"gpt-6":{"input":100,"output":100}}'
  project.write('prices.json', prices)
})

afterAll(() => upstream.stop())

// Each goes on from what the one before has recorded.
describe('a suite that was recorded', { shuffle: false }, () => {
  test('its prompts are asked again, one by one, and no cassette is touched', async () => {
    await run('record')
    const before = project.contents()
    const said = await run('rehearse', '--prices', 'prices.json')
    expect(said, said.output).toMatchObject({ exitCode: 0, calls: 6 })
    expect(said.output).toContain('6 answers: 6 the same')
    expect(project.contents()).toEqual(before)
  })

  test('its tests run live with another model, and no cassette is touched', async () => {
    const before = project.contents()
    const said = await run('rehearse', '--live', 'two', '--model', 'gpt-6')
    expect(said, said.output).toMatchObject({ exitCode: 0, calls: 3 })
    expect(said.output).toContain(' 3 calls, 21 tokens')
    expect(said.output).toMatch(/two\.test\.ts > two 1 +yes +1 /)
    const told = [/^Runs 3 .*/m, /^3 of 3 tests that .*/m].map((line) => line.exec(said.output)![0])
    await expectGolden(told.join('\n'), 'live')
    expect(project.contents()).toEqual(before)
    expect(await project.run()).toMatchObject({ exitCode: 0 })
  })

  test('a test that fails live is named, on CI too', async () => {
    const before = project.contents()
    const env = { CI: '1', WANTED: 'something else' }
    const said = await runWith(env, 'rehearse', '--live', 'two')
    expect(said).toMatchObject({ exitCode: 1, calls: 3 })
    expect(said.output).toMatch(/^0 of 3 /m)
    expect(project.contents()).toEqual(before)
  })

  test('one whose worker is killed leaves nothing to recover', async () => {
    const said = await runWith({ DIES: '1' }, 'rehearse', '--live', 'two')
    expect(said.exitCode).toBe(1)
    expect(said.calls).toBeGreaterThan(0)
    await expectGolden((await run('recover')).output, 'nothing-left')
  })

  test('a cap holds for all tests together', async () => {
    const said = await run('rehearse', '--live', '--max-cost', '0.08')
    expect(said.exitCode).toBe(1)
    expect(said.calls).toBeGreaterThan(0)
    expect(said.calls * 0.007).toBeLessThanOrEqual(0.08)
    expect(said.output).toMatch(/^\d+ calls? .* --max-cost\.$/m)
    expect(said.output).toMatch(/\braise --max-cost\.$/m)
    // Nothing of a rehearsal is recorded.
    expect(said.output).not.toMatch(/vitest-cassette record/)
  })

  test('--record records those that pass, as the other model answers them', async () => {
    const said = await run('rehearse', '--live', '--record', 'two', '--model', 'gpt-6')
    expect(said, said.output).toMatchObject({ exitCode: 0, calls: 3 })
    const changed = project.files().filter((file) => file.startsWith('two.test.ts'))
    for (const file of changed)
      expect(project.read(`__recordings__/${file}`)).toContain('"model": "gpt-6"')
    // The code still asks the model of before.
    expect(await project.run(['two'])).toMatchObject({ exitCode: 1 })
    expect(await project.run(['two'], { MODEL: 'gpt-6' })).toMatchObject({ exitCode: 0 })
  })
})

function run(...args: string[]): Promise<Run & { calls: number }> {
  return runWith({}, ...args)
}

/** Runs the command, and counts what it asked. */
async function runWith(
  env: Record<string, string>,
  ...args: string[]
): Promise<Run & { calls: number }> {
  const before = await upstream.count()
  const words = args.map((word) => `'${word}'`).join(' ')
  const said = await project.cli(words, env)
  return { ...said, calls: (await upstream.count()) - before }
}
