import { expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

test('the summary of a recording names odd answers, and what failed tests have paid for', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('../lab/scenarios/odd-answers', { ODD_URL: upstream.oddUrl })
  project.write(
    'vitest.config.ts',
    `import { cassettes } from 'vitest-cassette/plugin'
export default { plugins: [cassettes()] }
`,
  )
  project.edit(
    'swallows.test.ts',
    "answer('Is it well?')).toBeTruthy()",
    "answer('Well?')).toBe('')",
  )
  const run = await project.record(['-t', '^(asks|streams|asks once more)$'])
  await upstream.stop()
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(
    /Look at {2}1 recorded answer is an error: 404 asked for 404\n +swallows\.test\.ts > asks\n/,
  )
  expect(run.output).toMatch(
    / {9}1 recorded answer stops before its end\n +swallows\.test\.ts > streams\n/,
  )
  expect(run.output).toMatch(
    / Parked {2}the answers of 1 failed test are kept, and in no cassette\n +To use them anyway: npx vitest-cassette recover\n/,
  )
})
