import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../src/tools/commands.ts'
import { withTexts } from '../src/tools/terminal/options.ts'
import { codeBlocksOf } from '../tooling/code-blocks.ts'
import { pagesInOrder } from '../tooling/pages.ts'
import { needs } from './needs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = ['README.md', 'site/index.md', 'skills/vitest-cassette/SKILL.md', ...pagesInOrder()]

/** What holds a block of each language: nothing, where it shows what a program prints. */
const CHECKS: Record<string, ((code: string, page: string) => unknown) | undefined> = {
  '': undefined,
  diff: undefined,
  // In test/e2e/docs-code.test.ts, against the types of the package.
  ts: undefined,
  js: undefined,
  // In test/e2e/runners.test.ts, which runs it in Bun.
  toml: undefined,
  json: (code) => JSON.parse(code),
  yaml: (code) => parse(code),
  sh: checkShell,
  // Parsed below, and run by test/e2e/pytest.test.ts and served.test.ts.
  python: undefined,
}

test.for(pages)('the code of %s can be used as it is', (page) => {
  const broken = codeBlocksOf(read(page)).flatMap(({ language, code, line }) => {
    if (!(language in CHECKS)) return `${page}:${line}: no test reads ${language}`
    try {
      CHECKS[language]?.(code, page)
      return []
    } catch (error) {
      return `${page}:${line}: ${(error as Error).message}`
    }
  })
  expect(broken).toEqual([])
})

test('the code in Python can be parsed', needs('python3'), () => {
  const blocks = pages.flatMap((page) => codeBlocksOf(read(page)))
  const codes = blocks.flatMap(({ language, code }) => (language === 'python' ? [code] : []))
  const parse =
    'import ast, json, sys; print(len([ast.parse(code) for code in json.load(sys.stdin)]))'
  const parsed = execFileSync('python3', ['-c', parse], { input: JSON.stringify(codes) })
  expect(Number(parsed)).toBe(codes.length)
})

test.for(pages)(
  'each command of vitest-cassette that %s names is there, with its options',
  (page) => {
    const broken = Array.from(
      read(page).matchAll(/npx vitest-cassette ([a-z][^\n`|#>]*)/g),
      ([, line]) => problemOf(wordsOf(line!)),
    )
    expect(broken.filter((problem) => problem !== undefined)).toEqual([])
  },
)

test('the checks find what is wrong', () => {
  expect(problemOf(wordsOf('recrod --changed'))).toBe('no command recrod')
  expect(problemOf(wordsOf('record --chnaged'))).toContain("'--chnaged'")
  expect(problemOf(wordsOf("show --directory 'a b'"))).toContain("'--directory'")
  expect(problemOf(wordsOf("history import a.json --test 'a > b'"))).toBeUndefined()
  expect(() => checkShell('npm run nothing', 'README.md')).toThrow('no script nothing')
  expect(() => checkShell('node tooling/nothing.ts', 'CONTRIBUTING.md')).toThrow('no file')
})

/** Says what a line of a shell names that is not there: a script of npm, or a file of this repository. */
function checkShell(code: string, page: string): void {
  for (const line of code.split('\n')) {
    const [, script] =
      /\bnpm (?:run (?:-\S+ )*)?(?!ci|i\b|rm|install)([a-z][\w:-]*)/.exec(line) ?? []
    if (script !== undefined && !scriptsOf(page, line).includes(script))
      throw new Error(`no script ${script}: ${line}`)
    const [, file] = /\b(?:node|python3) ((?:tooling|conformance|bench|test)\/\S+)/.exec(line) ?? []
    if (file !== undefined && !existsSync(join(root, file))) throw new Error(`no file ${file}`)
  }
}

/** The scripts that a line can run: those of the example that it or its page names, or of the repository. */
function scriptsOf(page: string, line: string): string[] {
  const [, workspace] = /-w (\S+)/.exec(line) ?? []
  const [example = ''] = /^examples\/[^/]+\//.exec(page) ?? []
  const folder = workspace === undefined ? example : `examples/${workspace}`
  const { scripts } = JSON.parse(read(join(folder, 'package.json'))) as { scripts: object }
  return Object.keys(scripts)
}

/** What `vitest run` takes, and so does `record`. */
const FOR_VITEST = {
  config: { type: 'string' },
  project: { type: 'string' },
  testNamePattern: { type: 'string', short: 't' },
} as const

function problemOf(words: string[]): string | undefined {
  const command = COMMANDS.find(({ name }) =>
    [words.slice(0, 2).join(' '), words[0]].includes(name),
  )
  if (!command) return `no command ${words[0]}`
  const own = words.slice(command.name.startsWith(words[0]!) ? command.name.split(' ').length : 1)
  try {
    parseArgs({
      args: withTexts(command.options, own.includes('--') ? own.slice(0, own.indexOf('--')) : own),
      options: {
        ...command.options,
        ...(command.takesAll ? FOR_VITEST : {}),
        help: { type: 'boolean' },
      },
      allowPositionals: true,
      allowNegative: true,
    })
    return undefined
  } catch (error) {
    return `${words.join(' ')}: ${(error as Error).message}`
  }
}

/** The words of a command line, without their quotes. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, one, two, bare]) => (one ?? two ?? bare)!,
  )
}
