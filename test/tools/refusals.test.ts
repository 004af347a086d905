import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { CliProject } from './run-cli.ts'

test('an option that does not exist is named with the closest, and the help of its command', async () => {
  using project = new CliProject()
  const { code, problems } = await project.run('verify', '--max-agee', '3')
  expect(code).toBe(2)
  const [refusal, help] = problems.split('\n\n')
  await expectGolden(refusal!, 'unknown-option')
  expect(help).toMatch(/^vitest-cassette verify /)
})

test.each([
  ['show', '--store', '.', '--workspace', 'missing'],
  ['history', 'export', '--out', '/dev/null/below', 'nothing'],
])('what the system refuses is one line: %s %s', async (...words) => {
  using project = new CliProject()
  const { problems } = await project.run(...words)
  expect(problems).not.toMatch(/^ +at /m)
  expect(problems).not.toBe('')
})

test('import names a file that is not there, and takes it for a mistake in the command line', async () => {
  using project = new CliProject()
  const { code, out, problems } = await project.run('import', 'missing.json')
  expect([code, out]).toEqual([2, ''])
  expect(problems).toContain('missing.json')
  await expectGolden(problems, 'no-file')
})

test.each(['--version', '-v'])('%s says the version of package.json', async (word) => {
  using project = new CliProject()
  const path = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  expect(await project.run(word)).toEqual({ code: 0, out: `${version}\n`, problems: '' })
})

test('record needs Vitest, and says where', async () => {
  using project = new CliProject()
  const { code, problems } = await project.run('record', '-t', 'greets')
  expect(code).toBe(2)
  expect(problems).toContain(project.root)
  await expectGolden(problems, 'no-vitest', { [project.root]: '<root>' })
})
