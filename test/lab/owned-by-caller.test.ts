import { beforeAll, expect, test } from 'vitest'
import { VitestProject } from '../e2e/vitest-project.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { scenario } from './lab.ts'

scenario('owned-by-caller', (made) => {
  const plain = new Map<string, unknown>()

  // No project of a run of the lab can be without the plugin.
  beforeAll(async () => {
    const upstream = await startUpstream()
    const project = new VitestProject('../lab/scenarios/owned-by-caller')
    const run = await project.run([], { ODD_URL: upstream.oddUrl, RESULTS: 'plain' })
    await upstream.stop()
    expect(run.exitCode, run.output).toBe(0)
    for (const file of project.files('plain'))
      plain.set(file.replace('.json', ''), project.json(`plain/${file}`))
    expect(project.files()).toEqual([])
  })

  test('what a caller changes after the call is sent as without the plugin, recorded as sent, and found', () => {
    expect(plain.size).toBeGreaterThan(35)
    for (const [name, without] of plain) {
      // The provider here speaks HTTP/1 alone, which the bridge for HTTP/2 does too.
      const sent = name.startsWith('http2') ? recorded(name) : without
      expect([name, recorded(name)]).toEqual([name, sent])
      expect([name, made('replay').result(name)]).toEqual([name, sent])
    }
  })

  test('each call passes while it is recorded, and while it is replayed', () => {
    for (const run of ['record', 'replay'] as const) expect(made(run).titles('failed')).toEqual([])
  })

  test('clients that take what they are given at the call send that, and others what they find', () => {
    expect(recorded('fetch-of-a-Headers-at-once')).toContain('before (before)')
    expect(recorded('fetch-at-once')).toContain('before (before)')
    expect(recorded('node-http-end-at-once')).toContain('after  (before)')
    expect(recorded('node-http-end-taken')).toContain('before (before)')
    expect(recorded('http2-taken')).toContain('before (before)')
  })

  test('each option of fetch is read once, also one that is inherited', () => {
    expect(recorded('getters').reads).toEqual(['body', 'headers', 'method'])
    expect(recorded('inherited')).toContain('before (before)')
  })

  const recorded = (name: string): any => made('record').result(name)
})
