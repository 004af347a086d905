import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { projectOfScenario } from './vitest-project.ts'

test('a test with the mode "new" records in a run whose other tests replay, past the guard of its host', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.stop())
  const project = projectOfScenario('in-tests', { UPSTREAM_URL: upstream.url, CHANGED_ONCE: '1' })
  // A listed host is guarded in replay.
  project.edit('vitest.config.ts', 'cassettes({', "cassettes({ hosts: ['127.0.0.1']")
  const args = ['options.test.ts', '-t', 'records while|as strict as ever']
  for (const CI of ['', '1']) {
    const { tests, output } = await project.runTests(args, { CI })
    const ran = tests.filter(({ status }) => status !== 'skipped')
    expect(
      ran.map(({ title, status }) => [title, status]),
      output,
    ).toEqual([
      ['and this one is as strict as ever', 'failed'],
      ['records while its file replays', 'passed'],
    ])
    expect(project.files()).toHaveLength(1)
  }
})
