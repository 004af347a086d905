import { expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
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
  const rows = run.output.match(/^ +(?:Look at|Parked) .*\n(?: {13}.*\n)*/gm)!
  await expectGolden(rows.join(''), 'rows')
})
