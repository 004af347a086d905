import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

test('--since takes any number of changes', async () => {
  using project = new CliProject()
  const git = (args: string[], input = ''): Buffer =>
    execFileSync('git', args, { cwd: project.root, input })
  git(['init', '-q', '-b', 'main'])
  // None of these files is in the working tree, so all of them have changed: 2 MB of paths.
  const paths = Array.from({ length: 10_000 }, (_, at) => `${'a'.repeat(200)}/${at}.json`)
  const files = paths.map((path) => `M 100644 inline ${path}\ndata 0\n\n`).join('')
  const head = 'commit refs/heads/main\ncommitter a <a@example.com> 0 +0000\ndata 0\n\n'
  git(['fast-import', '--quiet'], head + files)
  const { problems } = await project.run('mutate', '--since', 'HEAD')
  // The next thing it needs.
  expect(problems).toContain('Vitest')
  expect(problems).toContain(project.root)
})

test('--since says what to do where git does not know the commit', async () => {
  using project = new CliProject()
  execFileSync('git', ['init', '-q'], { cwd: project.root })
  const { code, problems } = await project.run('mutate', '--since', 'origin/main')
  expect(code).toBe(2)
  expect(problems).toContain('"origin/main"')
  await expectGolden(problems, 'no-commit')
})
