import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGENTS, needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

describe('agents that start native programs', needs('agents'), () => {
  let provider: Upstream
  beforeAll(async () => {
    provider = await startUpstream()
  })
  afterAll(() => provider.stop())

  test.for([
    ['claude', 'claude-code', 'ANTHROPIC_BASE_URL', ''],
    ['codex', 'codex', 'OPENAI_BASE_URL', '/v1'],
  ] as const)(
    '%s is recorded, replayed with the provider away, and fails with the diff; doctor names its rule',
    { timeout: 180_000 },
    async ([agent, rule, variable, path]) => {
      const project = new VitestProject('agents', { AGENTS })
      const recorded = await project.record([agent], { [variable]: provider.url + path })
      expect(recorded.exitCode, recorded.output).toBe(0)
      const away = { [variable]: `http://127.0.0.1:9${path}` }
      const replayed = await project.run([agent], away)
      expect(replayed.exitCode, replayed.output).toBe(0)
      expect(replayed.output).toMatch(/Exchanges +\d+ replayed\n/)
      const changed = await project.run([agent], { ...away, CHANGED: ' again' })
      expect(changed.exitCode).toBe(1)
      expect(changed.output).toMatch(/Say hello\{?\+? again/)
      // With all that the program makes up anew.
      for (const [edit, headline] of [
        [{ CHANGED: ' again' }, /\(user\)\D*: text edited \(added "again"\)/],
        [{ RULE: ' Be kind.' }, /\((?:system|developer)\).*: text edited \(added "Be kind\."\)/],
      ] as const) {
        const { tests } = await project.runTests([agent], { ...away, ...edit, UNDECLARED: '1' })
        expect(tests[0]!.failureMessages[0]).toMatch(headline)
      }
      const command = `../node_modules/.bin/vitest-cassette doctor -- ${agent}`
      const { output } = await project.shell(command, { ...away, UNDECLARED: '1' })
      expect(output).toContain(`volatile: ['${rule}']`)
    },
  )

  test('codex without its configuration is answered in its tunnel, and what is not recorded is missed', async () => {
    const project = new VitestProject('agents', { AGENTS })
    const { output, exitCode } = await project.run(['codex'], { PAST: '1' })
    expect(exitCode).toBe(1)
    expect(output).toContain('GET wss://api.openai.com/v1/responses')
    expect(project.failures()).toMatchObject([{ code: 'miss', kind: 'unrecorded' }])
  })
})
