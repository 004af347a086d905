import { existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

const KEY = { OPENAI_API_KEY: 'not-a-key-at-all' }

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('record', { UPSTREAM_URL: upstream.oddUrl, ...KEY })
  // A shell would replace this name, as routes of some frameworks are called.
  await rename(join(project.dir, 'one.test.ts'), join(project.dir, '$one.test.ts'))
  const run = await project.record()
  expect(run.exitCode, run.output).toBe(0)
  // From here on nobody could answer.
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('a renamed test says which cassette was its own, and the command that it prints gives it back', async () => {
  project.edit('suite.ts', '`${name} ${number}`', "`${name} ${number === 2 ? 'second' : number}`")
  const missed = await project.run(['one'])
  expect(missed.exitCode).toBe(1)
  const [, words] =
    /npx vitest-cassette (move \S+one-2-\w+\.json' \S+one-(?:2|second)-\w+\.json')/.exec(
      missed.output,
    )!
  expect(words).toContain('$one.test.ts')
  // The free way first.
  expect(missed.output.indexOf(words!)).toBeLessThan(
    missed.output.indexOf('npx vitest-cassette record'),
  )
  const moved = await cli(`${words} 2>/dev/null`)
  expect(moved).toMatchObject({ exitCode: 0 })
  await expectGolden(moved.output, 'moved-test')
  expect(await project.run(['one'])).toMatchObject({ exitCode: 0 })
})

test('--detect moves the cassettes of all tests of a file that was renamed, and of tests in it', async () => {
  await rename(join(project.dir, 'two.test.ts'), join(project.dir, 'three.test.ts'))
  const missed = await project.run(['three'])
  expect(missed.output.match(/^CassetteError: /gm)).toHaveLength(1)
  await expectGolden(failureIn(missed, 'three.test.ts > two 3\n'), 'renamed-file', steady())
  const moved = await cli('move --detect 2>/dev/null')
  await expectGolden(moved.output, 'moved-file')
  expect(await project.run()).toMatchObject({ exitCode: 0 })
  expect(await project.findings()).toEqual([])
  const again = await cli('move --detect')
  expect(again.exitCode).toBe(0)
  expect(again.output).not.toContain('.json')
})

test('a test that was renamed while its prompt was edited says which cassette beside it has no test', async () => {
  const edited = new VitestProject('record', { UPSTREAM_URL: upstream.oddUrl, ...KEY })
  await rename(join(edited.dir, 'one.test.ts'), join(edited.dir, '$one.test.ts'))
  await cp(join(project.dir, '__recordings__'), join(edited.dir, '__recordings__'), {
    recursive: true,
  })
  edited.edit('suite.ts', '`${name} ${number}`', "`${name} ${number === 2 ? 'last' : number}`")
  edited.edit('suite.ts', 'renewed', 'refreshed')
  const failure = failureIn(await edited.run(['one', '-t', 'last']), '$one.test.ts > one last\n')
  const [name] = /one-(?:2|second)-\w+\.json/.exec(failure)!
  await expectGolden(failure, 'renamed-and-edited', { ...steady(), [name]: 'one-2.json' })
})

test('a run that was started below the config says where the recordings are, before it says how to record', async () => {
  await mkdir(join(project.dir, 'deep'))
  await cp(join(project.dir, '$one.test.ts'), join(project.dir, 'deep/four.test.ts'))
  project.edit('deep/four.test.ts', './suite.ts', '../suite.ts')
  const { output } = await project.runIn('deep', ['--config', '../vitest.config.ts', '-t', 'one 1'])
  project.remove('deep/four.test.ts')
  const at = output.indexOf('Start it there:\n  npx vitest run --root')
  expect(at, output).toBeGreaterThan(0)
  expect(at).toBeLessThan(output.indexOf('npx vitest-cassette record'))
})

test('a file that git moves to another folder takes the folder of its cassettes along', async () => {
  const moving = new VitestProject('record', { UPSTREAM_URL: upstream.oddUrl, ...KEY })
  moving.write('suite.ts', project.read('suite.ts'))
  await mkdir(join(moving.dir, 'agents'))
  await rename(join(moving.dir, 'one.test.ts'), join(moving.dir, 'agents/one.test.ts'))
  const [from, to] = ['$one.test.ts', 'agents/one.test.ts'].map((file) => `__recordings__/${file}`)
  await cp(join(project.dir, from!), join(moving.dir, to!), { recursive: true })
  moving.edit('agents/one.test.ts', './suite.ts', '../suite.ts')
  const run = await moving.run(['agents'])
  expect(run, run.output).toMatchObject({ exitCode: 0 })
  expect(run.output).toContain('3 replayed')
  expect(await moving.findings()).toEqual([])
})

test('a cassette is moved over no other, and to no place where no test looks', async () => {
  const before = project.files()
  const [one, other] = ['one-1', 'one-3'].map((slug) => `'${project.cassette(slug)}'`) as [
    string,
    string,
  ]
  expect(await cli(`move ${one} ${other}`)).toMatchObject({ exitCode: 1 })
  expect(await cli(`move ${one} ${one.replace('one-1', 'four')}`)).toMatchObject({ exitCode: 2 })
  expect(await cli('move a')).toMatchObject({ exitCode: 2 })
  expect(project.files()).toEqual(before)
})

test('a recording with a credential is not moved to where a test looks', async () => {
  const one = project.cassette('one-1')
  const held = project.read(one)
  const secret = `gsk_${'aB3'.repeat(17)}c`
  project.remove(one)
  const refused = held.replaceAll(/Odd: [^"\\]*/g, (said) => `${said} ${secret}`)
  expect(refused).toContain(secret)
  for (const from of ['__recordings__/$one.test.ts/gone-0123456789.json', 'parked.json']) {
    project.write(from, refused)
    const moved = await cli(`move '${from}' '${one}'`)
    expect(moved.exitCode).toBe(1)
    expect(moved.output).toContain('groq at /exchanges/0/response/text')
    expect(existsSync(join(project.dir, one))).toBe(false)
    project.remove(from)
  }
  project.write(one, held)
  expect(await project.run(['one'])).toMatchObject({ exitCode: 0 })
})

/** The provider has another port in each run. */
function steady(): Record<string, string> {
  return { [new URL(upstream.oddUrl).host]: '<host>' }
}

function cli(words: string): Promise<Run> {
  return project.cli(words)
}
