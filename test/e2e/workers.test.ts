import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { documentedRow } from './documented-row.ts'
import { workspace } from './install-package.ts'
import { errorsIn, failureIn, VitestProject, type Run } from './vitest-project.ts'

/** Where `npm ci --prefix workerd` installs Cloudflare's plugin. */
const CLOUDFLARE = fileURLToPath(new URL('../../workerd/node_modules/@cloudflare', import.meta.url))

/** Leaves out what is refused. */
const WELL = '^(?!opens a socket)'

describe("tests in workerd, by Cloudflare's plugin", needs('workerd'), () => {
  let provider: Upstream
  let project: VitestProject
  let recording: Run
  const show = documentedRow("Cloudflare's Workers pool")

  beforeAll(async () => {
    const link = join(workspace(), 'node_modules/@cloudflare')
    if (!existsSync(link)) symlinkSync(CLOUDFLARE, link)
    provider = await startUpstream()
    project = new VitestProject('workers', { UPSTREAM: provider.url })
    recording = await project.record(['asks.worker', 'node.test', 'outbound', '-t', WELL])
    await provider.stop()
  }, 240_000)
  afterAll(() => provider.stop())

  test('each has its own cassette, wherever its Worker asks, and so has their file', () => {
    expect(recording.exitCode, recording.output).toBe(0)
    expect(recording.output).toContain('25 recorded')
    expect(project.files().map((file) => file.replace(/-\w+\.json/, ''))).toEqual([
      'asks.worker.test.ts/_file.json',
      'asks.worker.test.ts/asks-after-the-answer',
      'asks.worker.test.ts/asks-by-fetch',
      'asks.worker.test.ts/asks-by-node-http',
      'asks.worker.test.ts/asks-in-a-durable-object',
      'asks.worker.test.ts/asks-in-another-worker',
      'asks.worker.test.ts/calls-a-function-of-the-worker',
      'asks.worker.test.ts/greets-cleo',
      'asks.worker.test.ts/greets-dan',
      'asks.worker.test.ts/greets-eve',
      'asks.worker.test.ts/is-not-done-yet',
      'asks.worker.test.ts/keeps-the-events-of-a-stream-apart',
      'asks.worker.test.ts/passes-a-stream-on',
      'asks.worker.test.ts/streams-by-the-sdk',
      'asks.worker.test.ts/swallows-that-there-is-no-answer',
      'asks.worker.test.ts/talks-over-a-socket',
      'node.test.ts/asks-in-node',
      'outbound.test.ts/asks-beside-an-outbound-service',
    ])
    expect(JSON.stringify(project.contents())).not.toContain('sk-of-a-worker')
    show('record')
  })

  test('they are replayed with the provider away, streams event by event', async () => {
    const { exitCode, output } = await project.run(['asks.worker', 'node.test'])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('23 replayed')
    // Nothing of ours keeps the run from ending.
    expect(output).not.toContain('close timed out')
    show('replay')
  })

  test('an outboundService of the user answers all that is no LLM call, and passes no socket to a model', async () => {
    const run = await project.run(['outbound'])
    expect(run.output).toContain('1 failed | 2 passed')
    expect(project.failures()).toMatchObject([
      { test: 'outbound.test.ts > opens a socket', code: 'refused' },
    ])
    await expectGolden(errorsIn(run).join(), 'socket')
  })

  test('a changed prompt fails with the diff, where the Worker swallows it and under test.fails too', async () => {
    const run = await project.run(['asks.worker'], { WORD: 'Bye' })
    expect(run.exitCode).toBe(1)
    expect(run.output).toContain('3 failed | 12 passed')
    const swallowed = failureIn(run, '|workers| asks.worker.test.ts > swallows that')
    expect(swallowed).toMatch(/- Hello Bob\n +\+ Bye Bob/)
    expect(swallowed).toContain(
      "npx vitest-cassette record asks.worker.test.ts --project workers -t '^swallows that there is no answer$'",
    )
    show('drift')
  })

  test('what cannot be told apart or seen fails by name, and nothing else of the run does', async () => {
    const run = await project.run(['wrong', 'early', 'node.test'])
    expect(run.exitCode).toBe(1)
    expect(run.output).toContain('Tests  3 failed | 3 passed')
    await expectGolden(errorsIn(run).join('\n\n---\n\n'), 'of-no-test')
  })

  test('what is recorded and not asked for fails, and a cassette whose test is gone is named', async () => {
    const own = new VitestProject(project.dir, { UPSTREAM: provider.url })
    const file = 'asks.worker.test.ts'
    for (const other of ['wrong.worker.test.ts', 'early.worker.test.ts', 'outbound.test.ts'])
      own.remove(other)
    own.edit(file, "await get('/beside?q=Beside')", "'You said: Beside'")
    const unused = await own.run([file])
    expect(unused.output).toContain('1 failed | 13 passed')
    expect(unused.output).toContain('Not asked for: 1 of 1 recorded exchanges')
    own.edit(file, "test('asks in another Worker", "test.skip('asks in another Worker")
    own.edit(file, "test('calls a function", "if (env.NEVER) test('calls a function")
    const { exitCode, output } = await own.run([], { CI: '1' })
    expect(exitCode, output).toBe(1)
    expect(output).toContain('asks.worker.test.ts/calls-a-function-of-the-worker')
    show('orphan')
  })

  test('a pool that is not known, or an outboundService that is none, fails by name, and no other project does', async () => {
    const own = new VitestProject('workers', { UPSTREAM: provider.url })
    own.edit(
      'vitest.config.ts',
      '({ method, url }: Request) => new Response(`${method} ${url}`)',
      "'beside'",
    )
    own.edit(
      'vitest.config.ts',
      "{ extends: true, test: { name: 'node'",
      "{ extends: true, test: { name: 'unknown', include: ['early.*'], pool: unknown } }, { extends: true, test: { name: 'node'",
    )
    own.edit(
      'vitest.config.ts',
      'export default',
      "const does = () => {}\nconst worker = { name: 'cloudflare-pool', on: does, off: does, send: does, start: does, stop: does }\n" +
        "const unknown = { name: 'cloudflare-pool', createPoolWorker: () => ({ ...worker }) }\nexport default",
    )
    const projects = ['--project', 'outbound', '--project', 'unknown', '--project', 'node']
    own.edit(
      'node.test.ts',
      "test('asks in Node', async () => {",
      "test('asks nothing', async () => {\n  return",
    )
    const refused = await own.run(projects)
    expect(refused.exitCode).toBe(1)
    expect(refused.output).toContain('1 passed')
    expect(refused.output.match(/code: '[\w-]+'/g)).toEqual(Array(2).fill("code: 'invalid-option'"))
    await expectGolden(errorsIn(refused).join('\n\n---\n\n'), 'odd-projects')
  })

  test('in mode off a Worker asks as if there were no cassettes', async () => {
    const online = await startUpstream()
    const { exitCode, output } = await project.run(['asks.worker', '-t', '^asks in'], {
      UPSTREAM: online.url,
      RECORD: 'off',
    })
    await online.stop()
    expect(exitCode, output).toBe(0)
    expect(output).not.toContain('replayed')
  })
})
