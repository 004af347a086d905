import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('options', { UPSTREAM_URL: upstream.oddUrl })
})

afterAll(() => upstream.stop())

test('an unknown option is named together with those that exist', async () => {
  const run = await runWith({ mod: 'new' })
  expect(run.exitCode).not.toBe(0)
  expect(run.output).toContain('mod: ')
  const [, listed] = /The options are: ([\w, ]+)\./.exec(run.output)!
  expect(listed!.split(', ')).toEqual(
    expect.arrayContaining(['mode', 'dir', 'hosts', 'unused', 'repeats', 'volatile']),
  )
})

test('every option with a wrong value is named together with the right ones', async () => {
  const run = await runWith({ mode: 'record', unused: 'ignore', recordErrors: 'yes', hosts: [''] })
  expect(run.exitCode).not.toBe(0)
  expect(run.output).toContain("mode: one of 'replay', 'new', 'all', 'prompts', 'off'")
  expect(run.output).toContain("unused: one of 'fail', 'warn'")
  expect(run.output).toMatch(/recordErrors: .*boolean/)
  expect(run.output).toMatch(/hosts\.0: /)
})

test('a host is an LLM call only where the option hosts names it', async () => {
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(project.files()).toEqual([expect.stringContaining('asks-a-provider')])

  const count = await upstream.count()
  const replay = await project.run()
  expect(replay.exitCode, replay.output).toBe(0)
  expect(await upstream.count()).toBe(count + 1)

  const listed = await runWith({ hosts: ['127.0.0.1'] })
  expect(listed.exitCode).toBe(1)
  expect(failures()).toMatchObject([{ code: 'miss', kind: 'unrecorded' }])
  expect(await upstream.count()).toBe(count + 1)
})

test('the options dir and hosts record into that folder and replay from it', async () => {
  const options = { dir: 'fixtures/llm', hosts: ['*.example.com', '127.0.0.1'] }
  const recording = await runWith(options, { RECORD: '1' })
  expect(recording.exitCode, recording.output).toBe(0)
  expect(project.files('fixtures/llm')).toEqual([
    expect.stringContaining('places.test.ts/asks-a-host-of-its-own-'),
    expect.stringContaining('places.test.ts/asks-a-provider-'),
  ])

  const count = await upstream.count()
  const replay = await runWith(options)
  expect(replay.exitCode, replay.output).toBe(0)
  expect(await upstream.count()).toBe(count)

  const tooLarge = await runWith({ ...options, maxCassetteBytes: 100 })
  expect(tooLarge.exitCode).toBe(1)
  expect(tooLarge.output).toContain('maxCassetteBytes')
  for (const { code } of failures()) expect(code).toBe('invalid-cassette')
  expect(tooLarge.output).toContain(`fixtures/llm/${project.files('fixtures/llm')[0]}`)
})

/** What the last run tells programs of its failures. */
function failures(): Array<{ code: string; kind?: string }> {
  return project.json('node_modules/.cache/vitest-cassette/failures.json').tests
}

function runWith(
  options: object,
  env: Record<string, string> = {},
): ReturnType<typeof project.run> {
  return project.run([], { OPTIONS: JSON.stringify(options), ...env })
}

test.each([
  ['--config', 'own/vitest.own.config.ts'],
  ['--root', 'own'],
])('the command in a failure finds the config that the run had: %s %s', async (option, value) => {
  const own = new VitestProject('options', { UPSTREAM_URL: upstream.oddUrl })
  mkdirSync(join(own.dir, 'own'))
  for (const name of ['vitest.own.config.ts', 'vitest.config.ts'])
    own.write(`own/${name}`, own.read('vitest.config.ts'))
  own.write('own/places.test.ts', own.read('places.test.ts'))
  own.write('vitest.config.ts', "throw new Error('This is not the config of the run.')\n")
  const run = await own.run([option, value, 'own/places', '-t', 'asks a provider'])
  expect(run.exitCode).toBe(1)
  const [command] = /npx vitest-cassette record .*/.exec(run.output)!
  expect(command).toContain(`places.test.ts ${option} ${value} -t`)
  const recording = await own.shell(command)
  expect(recording.exitCode, recording.output).toBe(0)
  const replay = await own.run([option, value, 'own/places', '-t', 'asks a provider'])
  expect(replay.exitCode, replay.output).toBe(0)
})

test('the command in a failure is that of the program which starts Vitest with a config of its own', async () => {
  const own = new VitestProject('options', { UPSTREAM_URL: upstream.oddUrl })
  own.remove('vitest.config.ts')
  own.write(
    'run-tests.mjs',
    `import { startVitest } from 'vitest/node'
    import { cassettes } from 'vitest-cassette/plugin'
    const options = { config: false, watch: false, testNamePattern: 'asks a provider' }
    const vitest = await startVitest('test', process.argv.slice(2), options, { plugins: [cassettes()] })
    await vitest.close()\n`,
  )
  const run = await own.shell('node run-tests.mjs places')
  expect(run.exitCode).toBe(1)
  const [command] = /RECORD=1 .*/.exec(run.output)!
  expect(command).toBe('RECORD=1 node run-tests.mjs places')
  expect(run.output).toContain('"missing":"RECORD=new node run-tests.mjs places"')
  const recording = await own.shell(command)
  expect(recording.exitCode, recording.output).toBe(0)
  const replay = await own.shell('node run-tests.mjs places')
  expect(replay.exitCode, replay.output).toBe(0)
})

test('projects that record one cassette with different prompts fail, and are named', async () => {
  const own = new VitestProject('options', { UPSTREAM_URL: upstream.oddUrl })
  own.write(
    'vitest.config.ts',
    `import { cassettes } from 'vitest-cassette/plugin'
    const project = (name: string) => ({ extends: true, test: { name, env: { WIDTH: name } } })
    export default { plugins: [cassettes()], test: { projects: [project('wide'), project('narrow')] } }`,
  )
  const same = await own.record(['-t', 'asks a provider'])
  expect(same.exitCode, same.output).toBe(0)
  own.edit('places.test.ts', "ask('Are you there?')", 'ask(`Are you ${process.env.WIDTH}?`)')
  own.edit('places.test.ts', "'Odd: Are you there?'", '`Odd: Are you ${process.env.WIDTH}?`')
  const { exitCode, output } = await own.record(['-t', 'asks a provider'])
  expect(exitCode, output).toBe(1)
  expect(output).toContain('2 passed')
  expect(output).toMatch(/Overwritten {2}1 cassette recorded by '\w+' and '\w+' with different/)
  expect(output).toContain(own.cassette('asks-a-provider'))
})
