import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { GitProject } from '../tools/git-project.ts'
import { question, recorded } from '../engine/example-session.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))
const PATH = 'a.test.ts/asks-0123456789.json'

test('after init, git diff and git log -p show cassettes as conversations, and else as they are', async () => {
  using project = new GitProject()
  const bin = join(project.root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const command = join(bin, 'vitest-cassette')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BUILT}' "$@"\n`)
  chmodSync(command, 0o755)
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n')
  const shown = await project.run('init')
  expect(shown.out).toContain(
    '  + diff.cassette.textconv = f() { "node_modules/.bin/vitest-cassette" diff --textconv "$1" 2>/dev/null || cat "$1"; }; f\n',
  )
  expect(await project.run('init', '--yes')).toMatchObject({ code: 0 })
  expect(project.git('config', 'diff.cassette.textconv')).toContain('diff --textconv')
  const asks = (question_: string, answer: string) => recorded([question(question_), answer])
  await project.commit([PATH, asks('Hi', 'one\nline')])
  await project.saveAll([[PATH, asks('Hi', 'two\nline')]])
  expect(project.git('diff')).toMatch(/^ answer:\n-  one\n\+  two\n {3}line$/m)
  await project.commit()
  expect(project.git('log', '-p', '-1', '--format=')).toMatch(/^-  one\n\+  two$/m)

  const file = join(project.root, '__recordings__', PATH)
  writeFileSync(file, '{ "torn": ')
  expect(project.git('diff')).toMatch(/^\+\{ "torn": $/m)
  rmSync(command)
  expect(project.git('log', '-p', '-1', '--format=')).toMatch(/^\+ +"text": \{ "\$text"|^\+.*two/m)
})
