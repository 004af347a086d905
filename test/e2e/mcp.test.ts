import { expect, test } from 'vitest'
import { projectOfScenario } from './vitest-project.ts'

test('what a server answered before a recording is killed is kept', async () => {
  const project = projectOfScenario('mcp')
  await project.record(['kill'], { KILL: '1' })
  const recovery = await project.cli('recover --yes')
  expect(recovery.exitCode, recovery.output).toBe(0)
  expect(project.exchanges('a-recording-that-is-killed')).toHaveLength(2)
  expect(project.read(project.cassette('a-recording-that-is-killed'))).toContain('Rome: rain')
})
