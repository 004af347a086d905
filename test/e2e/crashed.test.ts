import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('crashed', { OPENAI_BASE_URL: `${upstream.oddUrl}/v1` })
})
afterAll(() => upstream.stop())

test(
  'a program that fails is named where its test asks less, or something else, and no command drops what it did not ask',
  needs('python3'),
  async () => {
    const recorded = await project.record([], { OPENAI_API_KEY: 'sk-real' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect((await project.run()).exitCode).toBe(0)
    const run = await project.run([], { CRASH: '1' })
    expect(run.exitCode).toBe(1)
    const named = (words: string) => `python3 agent.py ${words} ended with exit code 3`
    const part = failureIn(run, 'crashed.test.ts > a part')
    expect(part).toContain(`Not asked for: 1 of 2 recorded exchanges; ${named('plan')}`)
    expect(part.indexOf('Run it alone')).toBeGreaterThan(0)
    expect(part.indexOf('Run it alone')).toBeLessThan(
      part.indexOf('Only if the test is meant to ask less'),
    )
    const all = failureIn(run, 'crashed.test.ts > all')
    expect(all).toContain(named('whole'))
    expect(all.indexOf('Run it alone')).toBeLessThan(all.indexOf('rm __recordings__'))
    expect(failureIn(run, 'crashed.test.ts > another prompt')).toContain(named('other'))
    expect(run.output).not.toContain('exit code 5')
    for (const [name, ended] of [
      ['spawnSync', 'sh -c exit 4 ended with exit code 4'],
      ['execSync', 'ended with exit code 6'],
      ['a missing program', 'no-such-agent plan ended before it began (ENOENT)'],
      ['a missing program by spawnSync', 'no-such-agent all ended before it began (ENOENT)'],
    ] as const) {
      const failure = failureIn(run, `crashed.test.ts > ${name}\n`)
      expect(failure).toMatch(/Not asked for: 1 of 2 recorded exchanges; /)
      expect(failure).toContain(ended)
      expect(failure.indexOf('Run it alone')).toBeGreaterThan(0)
    }

    const alone = await project.run(['-t', 'a part'], { CRASH: '1' })
    const [, line] = /^\[vitest-cassette\] (\{.*\})$/m.exec(alone.output)!
    const { tests, commands } = JSON.parse(line!)
    expect(tests[0].ended).toEqual([named('plan')])
    expect(commands).not.toHaveProperty('drop')
  },
)
