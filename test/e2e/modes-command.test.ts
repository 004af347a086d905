import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let commands: string[]

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('modes-command', { UPSTREAM_URL: upstream.oddUrl })
  commands = []
  // Three failures of one cause would have one command for all.
  for (const titles of ['^asks', '^a suite', '^ends']) {
    const { exitCode, output } = await project.run(['-t', titles])
    expect(exitCode).toBe(1)
    const lines = output.split('\n')
    commands.push(
      ...lines.filter((line) => line.startsWith('  npx vitest-cassette record titles.test.ts')),
    )
  }
  await project.record()
})

afterAll(() => upstream.stop())

test('every failure prints its command', () => {
  expect(commands).toHaveLength(5)
})

test.each([
  ['a title that others contain', 0, /^titles\.test\.ts\/asks-\w{10}\.json$/],
  ['a title that a suite has too', 2, /^titles\.test\.ts\/asks-\w{10}\.json$/],
  ['quotes, $ and regular expressions', 3, /\/its-5-00-a-b/],
  ['a line break', 4, /\/ends-one-line/],
])('the command works when it is pasted into a shell: %s', async (_, index, cassette) => {
  const before = project.contents()
  const run = await project.shell(commands[index]!)
  expect(run.exitCode, run.output).toBe(0)
  const changed = Object.entries(project.contents()).filter(([file, text]) => before[file] !== text)
  expect(changed).toEqual([[expect.stringMatching(cassette), expect.any(String)]])
})
