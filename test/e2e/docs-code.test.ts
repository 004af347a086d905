import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { codeBlocksOf } from '../../tooling/code-blocks.ts'
import { pagesInOrder } from '../../tooling/pages.ts'
import { workspace } from './install-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'site/index.md', ...pagesInOrder()]

/** A script of JavaScript does not say the types of its parameters. */
const IMPLICIT_IN_SCRIPT = /\.mjs\(.*: error TS70\d\d:/

/** Errors of TypeScript, each with the page and the line that it is about. */
let errors: string[]

beforeAll(async () => {
  const project = join(workspace(), 'docs-code')
  cpSync(join(root, 'test/projects/docs-code'), project, { recursive: true })
  for (const page of pages)
    for (const { language, code, line } of codeBlocksOf(readFileSync(join(root, page), 'utf8'))) {
      if (language !== 'ts' && language !== 'js') continue
      const file = join(project, `${page}.${line}.m${language}`)
      mkdirSync(dirname(file), { recursive: true })
      // On the line that it has in its page, and a module, so that nothing of it is seen by the others.
      writeFileSync(file, `${'\n'.repeat(line)}${code}\nexport {}\n`)
    }
  errors = await typeErrors(project)
}, 120_000)

test.for(pages)('the code of %s has the types of the package', (page) => {
  expect(errors.filter((error) => error.startsWith(`${page}(`))).toEqual([])
})

test('what the docs leave to their readers has types', () => {
  expect(errors.filter((error) => !pages.some((page) => error.startsWith(`${page}(`)))).toEqual([])
})

function typeErrors(project: string): Promise<string[]> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false'],
      { cwd: project },
      (_, out, said) => {
        const lines = (out + said)
          .split('\n')
          .filter((line) => line !== '' && !IMPLICIT_IN_SCRIPT.test(line))
        resolve(lines.map((line) => line.replace(/\.\d+\.m[tj]s/, '')))
      },
    ),
  )
}
