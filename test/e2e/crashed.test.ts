import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
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
    const ended = {
      'a part': named('plan'),
      all: named('whole'),
      'another prompt': named('other'),
      spawnSync: 'sh -c exit 4 ended with exit code 4',
      execSync: 'ended with exit code 6',
      'a missing program': 'no-such-agent plan ended before it began (ENOENT)',
      'a missing program by spawnSync': 'no-such-agent all ended before it began (ENOENT)',
    }
    const failures = Object.entries(ended).map(([title, how]) => {
      const failure = failureIn(run, `crashed.test.ts > ${title}\n`)
      expect(failure).toContain(how)
      return `# ${title}\n${failure}`
    })
    // Where nothing is recorded, nothing fails.
    expect(run.output).not.toContain('exit code 5')
    await expectGolden(failures.join(''), 'failures', { [new URL(upstream.oddUrl).host]: '<host>' })

    const alone = await project.run(['-t', 'a part'], { CRASH: '1' })
    const [, line] = /^\[vitest-cassette\] (\{.*\})$/m.exec(alone.output)!
    const { tests, commands } = JSON.parse(line!)
    expect(tests[0].ended).toEqual([named('plan')])
    expect(commands).not.toHaveProperty('drop')
  },
)

test(
  'a program that fails because its request was refused is not blamed: the refusal is named',
  needs('python3'),
  async () => {
    await project.record([], { OPENAI_API_KEY: 'sk-real' })
    const run = await project.run(['-t', 'all'], { MORE: ' and more', OPENAI_API_KEY: 'sk-real' })
    expect(run.exitCode).toBe(1)
    const failure = failureIn(run, 'crashed.test.ts > all\n')
    await expectGolden(failure, 'refused', { [new URL(upstream.oddUrl).host]: '<host>' })
    const [told] = project.json('node_modules/.cache/vitest-cassette/failures.json').tests
    expect(told).toMatchObject({ code: 'miss', missed: [{ askedBy: 'python3 agent.py whole' }] })
    // Programs that read this would mend the agent.
    expect(told).not.toHaveProperty('ended')
  },
)
