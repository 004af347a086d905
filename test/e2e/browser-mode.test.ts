import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { expectGolden } from '../golden.ts'
import { needs, testIf } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { documentedRow } from './documented-row.ts'
import { neededBy, RELEASES } from './releases.ts'
import { errorsIn, toldPeople, VitestProject, type Run } from './vitest-project.ts'

for (const number of ['5', '4.0'].filter((one) => RELEASES.has(one)))
  describe(`tests in a page: Vitest ${number}`, needs('chromium', ...neededBy(number)), () => {
    const show = documentedRow(`Vitest ${number}, browser mode`)
    const release = RELEASES.get(number)
    const isOwn = number === '5'
    let provider: Upstream
    let project: VitestProject
    let recording: Run

    beforeAll(async () => {
      provider = await startUpstream()
      project = new VitestProject('browser', { CHROMIUM, UPSTREAM: provider.url }, release)
      recording = await project.record(['page.test.ts', 'workers.test.ts'])
      await provider.stop()
    })
    afterAll(() => provider.stop())

    test('each has its own cassette, whatever it asks with, and so has their file', () => {
      expect(recording.exitCode, recording.output).toBe(0)
      expect(recording.output).toContain('28 recorded')
      expect(project.files().map((file) => file.replace(/-\w+\.json/, ''))).toEqual([
        'page.test.ts/_file.json',
        'page.test.ts/asks-by-a-beacon',
        'page.test.ts/asks-by-fetch',
        'page.test.ts/asks-by-xmlhttp-request',
        'page.test.ts/asks-from-frames',
        'page.test.ts/greets-bob',
        'page.test.ts/greets-cleo',
        'page.test.ts/is-not-done-yet',
        'page.test.ts/reads-a-stream-as-it-comes',
        'page.test.ts/talks-over-a-socket',
        'workers.test.ts/a-service-worker-asks',
        'workers.test.ts/a-worker-asks-by-xmlhttp-request',
        'workers.test.ts/a-worker-asks',
        'workers.test.ts/a-worker-of-a-file-asks',
        'workers.test.ts/frames-of-other-origins-ask-and-frames-in-them',
        'workers.test.ts/shared-workers-ask',
        'workers.test.ts/workers-of-workers-ask-several-at-the-same-time',
      ])
      expect(project.read(project.cassette('asks-by-fetch'))).not.toContain('sk-of-a-page')
      show('record')
    })

    test('they are replayed with the provider away, without a word of what is recorded here, and one whose test is gone is named', async () => {
      // A run of all files knows which tests there are.
      const own = new VitestProject(project.dir, { CHROMIUM, UPSTREAM: provider.url }, release)
      for (const other of ['early', 'unseen', 'wrong']) own.remove(`${other}.test.ts`)
      own.leaveOrphan(own.cassette('asks-by-fetch'))
      const { exitCode, output } = await own.run()
      expect(exitCode, output).toBe(0)
      expect(output).toContain('28 replayed')
      expect(recording.output).not.toContain('is not recorded')
      show('replay')
      expect(output).toMatch(/Orphans {2}1 .*\n.*asks by fetch/)
      show('orphan')
    })

    test('a changed prompt fails with the diff at the line that asks, under test.fails too', async () => {
      const changed = await project.run(['page.test.ts'], { WORD: 'Bye' })
      const { exitCode, output } = changed
      expect(exitCode).toBe(1)
      // Vitest 4 fails the file in the place of a test that is expected to fail.
      expect(output).toMatch(/FAIL .*page\.test\.ts( \[|.*is not done yet)/)
      expect(output).toContain(isOwn ? '2 failed | 8 passed' : '1 failed | 9 passed')
      expect(output).toContain('message 1 (user): text edited ("Hello" → "Bye")')
      expect(output).toMatch(/- Hello Ada\n +\+ Bye Ada/)
      expect(output).toContain("npx vitest-cassette record page.test.ts -t '^asks by fetch$'")
      expect(output).toContain(': TypeError: ')
      const steady = { [new URL(provider.url).host]: '<provider>' }
      if (isOwn) await expectGolden(errorsIn(changed).join('\n\n---\n\n'), 'changed-prompt', steady)
      expect(output).toMatch(/❯ page\.test\.ts:11:1[56]/)
      show('drift')
    })

    test('tests at the same time have to say whose a request is, and one while a file is imported fails the file', async () => {
      const run = await project.run(['wrong.test.ts', 'early.test.ts'])
      const output = toldPeople(run)
      expect(run.exitCode).toBe(1)
      expect(output).toContain('Test Files  2 failed (2)')
      expect(output).toContain('wrong.test.ts (2 tests | 2 failed)')
      const codes = project.failures().map(({ test, code }) => `${test}: ${code}`)
      expect(codes.toSorted()).toEqual([
        'early.test.ts: refused',
        'wrong.test.ts > at the same time > does not say whose it is: Dan: refused',
        'wrong.test.ts > at the same time > does not say whose it is: Eve: refused',
      ])
      await expectGolden(errorsIn(run).join('\n\n---\n\n'), 'of-no-test')
    })

    testIf(isOwn)(
      'a changed prompt of a worker fails, and so does what a page asks without a script',
      async () => {
        const run = await project.run(['workers', 'unseen', '-t', '^(a worker asks|asks by)'], {
          WORD: 'Bye',
        })
        expect(run.exitCode).toBe(1)
        expect(run.output).toMatch(/- Hello from a worker\n +\+ Bye from a worker/)
        expect(run.output).toContain('GET https://api.openai.com/v1/responses/resp_1?stream=true')
      },
    )

    testIf(isOwn)(
      'files in one browser at once keep what their workers and frames ask apart',
      async () => {
        const online = await startUpstream()
        const own = new VitestProject('browser', { CHROMIUM, UPSTREAM: online.url }, release)
        const text = readFileSync(join(own.dir, 'workers.test.ts'), 'utf8')
        writeFileSync(
          join(own.dir, 'workers2.test.ts'),
          text.replaceAll(/(From within|Sandboxed|said: Shared|asks\('Shared)/g, '$1 too'),
        )
        const files = ['workers', '--maxWorkers=2']
        const recorded = await own.record(files)
        await online.stop()
        expect(recorded.exitCode, recorded.output).toBe(0)
        const { exitCode, output } = await own.run(files)
        expect(exitCode, output).toBe(0)
        expect(output).toContain('26 replayed')
      },
    )

    testIf(isOwn)(
      'a worker may open no socket to a model, recording or not, and the provider gets no connection',
      async () => {
        let reached = 0
        const listener = createServer((socket) => {
          reached += 1
          socket.destroy()
        }).listen(0, '127.0.0.1')
        await once(listener, 'listening')
        const { port } = listener.address() as AddressInfo
        const UPSTREAM = `http://127.0.0.1:${port}`
        const run = await project.run(['unseen', '-t', 'a socket$'], { UPSTREAM, RECORD: '1' })
        listener.close()
        expect(run.output).toContain('8 failed')
        const failures = project.failures()
        expect(failures.map(({ code }) => code)).toEqual(Array(8).fill('refused'))
        const url = `ws://127.0.0.1:${port}/v1/realtime?model=gpt-realtime`
        for (const { headline } of failures) expect(headline).toContain(url)
        expect(reached).toBe(0)
      },
    )

    testIf(isOwn)('what is recorded and not asked for fails', async () => {
      const own = new VitestProject(project.dir, { CHROMIUM, UPSTREAM: provider.url }, release)
      own.edit('page.test.ts', "known = await ask('In a hook')", "known = 'You said: In a hook'")
      const { exitCode, output } = await own.run(['page.test.ts'])
      expect(exitCode).toBe(1)
      expect(output).toContain('Not asked for: 1 of 1 recorded exchanges')
    })
  })
