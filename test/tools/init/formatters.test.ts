import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseConfig } from '../../../src/tools/init/json-config.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PATH = 'a.test.ts/asks-0123456789.json'
const IGNORE = '**/__recordings__/\n'

class Formatted extends CliProject {
  constructor(files: Record<string, string>) {
    super()
    for (const [name, text] of Object.entries(files)) this.write(name, text)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true })
    writeFileSync(join(this.root, name), text)
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8')
  }
}

const devDependency = (name: string, version = '1.0.0'): string =>
  JSON.stringify({ devDependencies: { [name]: version } })

test.for<[tool: string, before: Record<string, string>, file: string, after: string]>([
  [
    'Prettier, a dependency',
    { 'package.json': devDependency('prettier') },
    '.prettierignore',
    IGNORE,
  ],
  ['Prettier with a config', { '.prettierrc': '' }, '.prettierignore', IGNORE],
  ['Prettier with a config in code', { 'prettier.config.mjs': '' }, '.prettierignore', IGNORE],
  ['Prettier in package.json', { 'package.json': '{"prettier": {}}' }, '.prettierignore', IGNORE],
  [
    'Prettier that ignores more',
    { '.prettierignore': 'dist\n!__recordings__/b.json' },
    '.prettierignore',
    `dist\n!__recordings__/b.json\n\n${IGNORE}`,
  ],
  ['oxfmt without a config', { 'package.json': devDependency('oxfmt') }, '.prettierignore', IGNORE],
  [
    'oxfmt',
    { '.oxfmtrc.json': '{\n  "semi": false\n}\n' },
    '.oxfmtrc.json',
    '{\n  "semi": false,\n  "ignorePatterns": ["**/__recordings__/**"]\n}\n',
  ],
  [
    'oxfmt that ignores more',
    { '.oxfmtrc.jsonc': '{ "ignorePatterns": ["a", /* b */] }' },
    '.oxfmtrc.jsonc',
    '{ "ignorePatterns": ["a", "**/__recordings__/**", /* b */] }',
  ],
  [
    'Biome',
    { 'biome.json': '{}' },
    'biome.json',
    '{\n  "files": { "includes": ["**", "!**/__recordings__"] }\n}',
  ],
  [
    'Biome with comments',
    {
      'biome.jsonc':
        '{\r\n\t// "files": 1,\r\n\t"files": {\r\n\t\t"includes": [\r\n\t\t\t"src/**", // {\r\n\t\t],\r\n\t},\r\n}',
    },
    'biome.jsonc',
    '{\r\n\t// "files": 1,\r\n\t"files": {\r\n\t\t"includes": [\r\n\t\t\t"src/**",\r\n\t\t\t"!**/__recordings__", // {\r\n\t\t],\r\n\t},\r\n}',
  ],
  [
    'Biome before 2.2',
    { 'biome.json': '{ "$schema": "https://biomejs.dev/schemas/2.0.6/schema.json" }' },
    'biome.json',
    '{ "$schema": "https://biomejs.dev/schemas/2.0.6/schema.json", "files": { "includes": ["**", "!**/__recordings__/**"] } }',
  ],
  [
    'Biome 1',
    { 'biome.json': '{ "files": {} }', 'package.json': devDependency('@biomejs/biome', '^1.9.4') },
    'biome.json',
    '{ "files": {\n  "ignore": ["**/__recordings__"]\n} }',
  ],
  [
    'dprint',
    { 'dprint.json': '{ "json": {}, "excludes": ["a"] }' },
    'dprint.json',
    '{ "json": {}, "excludes": ["a", "**/__recordings__"] }',
  ],
  ['ESLint with .eslintrc', { '.eslintrc.json': '{}' }, '.eslintignore', IGNORE],
  [
    'ESLint with eslintIgnore',
    { '.eslintrc.json': '{}', 'package.json': '{ "eslintIgnore": ["a"] }' },
    'package.json',
    '{ "eslintIgnore": ["a", "**/__recordings__/"] }',
  ],
  ...['[', 'defineConfig([', 'tseslint.config('].map(
    (begin): [string, Record<string, string>, string, string] => [
      `ESLint with export default ${begin}`,
      { 'eslint.config.js': `export default ${begin}\n  js.configs.recommended,\n` },
      'eslint.config.js',
      `export default ${begin}\n  { ignores: ['**/__recordings__/**'] },\n  js.configs.recommended,\n`,
    ],
  ),
  [
    'an editor',
    { '.editorconfig': '[*]\nindent_style = tab\n' },
    '.editorconfig',
    '[*]\nindent_style = tab\n\n[**/__recordings__/**.json]\ncharset = utf-8\nend_of_line = lf\n' +
      'indent_style = space\nindent_size = 2\ninsert_final_newline = true\n' +
      'trim_trailing_whitespace = false\nmax_line_length = off\n',
  ],
])('init lets %s leave recordings as they are, once', async ([, before, file, after]) => {
  using project = new Formatted(before)
  const { code, out } = await project.run('init', '--yes')
  expect(code, out).toBe(0)
  expect(project.read(file)).toBe(after)
  expect((await project.run('init')).code).toBe(0)
  expect(project.read(file)).toBe(after)
})

test.for<Record<string, string>>([
  { 'package.json': '{}' },
  { '.prettierignore': '/__recordings__/**' },
  { 'biome.json': '{ "files": { "includes": ["src/**", "!!**/__recordings__"] } }' },
  { 'eslint.config.mjs': "export default [globalIgnores(['__recordings__'])]" },
])('init adds nothing where recordings are ignored, or nothing is used: %j', async (files) => {
  using project = new Formatted(files)
  expect((await project.run('init', '--yes')).out).toMatch(/ \.gitattributes and \.gitignore\.\n$/)
  for (const [file, text] of Object.entries(files)) expect(project.read(file)).toBe(text)
})

test.for<[file: string, text: string, line: string]>([
  [
    'eslint.config.ts',
    'export default antfu({ jsonc: true })',
    "{ ignores: ['**/__recordings__/**'] },",
  ],
  ['biome.json', '{ "extends": ["//"] }', 'files.includes: "**", "!**/__recordings__"'],
  ['.oxfmtrc.json', '{ "ignorePatterns": "a" }', 'ignorePatterns: "**/__recordings__/**"'],
])('init says what to add to %s, where only a person can', async ([file, text, line]) => {
  using project = new Formatted({ [file]: text })
  const { code, problems } = await project.run('init', '--yes')
  expect(code).toBe(0)
  expect(problems).toContain(` ${file} `)
  expect(problems).toContain(`\n  ${line}\n`)
  await expectGolden(problems.replace(line, '<line>').replace(file, '<file>'), 'by-hand')
  expect(project.read(file)).toBe(text)
})

test.for<[file: string, text: string, flag: string]>([
  ['package.json', '{"lint-staged": {"*": "biome check --write"}}', '--no-errors-on-unmatched'],
  ['.lintstagedrc', '*.json: oxfmt', '--no-error-on-unmatched-pattern'],
  [
    'lint-staged.config.mjs',
    "export default { '*': 'eslint --max-warnings 0' }",
    '--no-warn-ignored',
  ],
  ['lefthook.yml', 'run: dprint fmt {staged_files}', '--allow-no-files'],
])(
  'init says which flag a hook in %s lacks for a commit of recordings alone',
  async ([file, text, flag]) => {
    using project = new Formatted({ [file]: text })
    const { problems } = await project.run('init', '--yes')
    expect(problems).toMatch(new RegExp(`^${file.replaceAll('.', String.raw`\.`)}: .*${flag} `))
    project.write(file, `${text} ${flag}`)
    expect((await project.run('init', '--yes')).problems).not.toContain(flag)
  },
)

test('init says what a hook would do to a commit of recordings alone', async () => {
  using project = new Formatted({ 'lefthook.yml': 'run: dprint fmt {staged_files}' })
  await expectGolden((await project.run('init', '--yes')).problems, 'hook')
})

test('in a monorepo, the files of the root are written', async () => {
  using project = new Formatted({ '.prettierrc': '', 'packages/a/biome.json': '{}' })
  spawnSync('git', ['init', '-q'], { cwd: project.root })
  project.folder = 'packages/a'
  const { out } = await project.run('init', '--yes', '--dir', 'tapes')
  expect(out).toContain('../../.prettierignore')
  expect(project.read('.prettierignore')).toBe('/packages/a/tapes/\n')
  expect(parseConfig(project.read('packages/a/biome.json'))).toEqual({
    files: { includes: ['**', '!tapes'] },
  })
})

test('no file is written through a symbolic link', async () => {
  using project = new Formatted({ 'package.json': devDependency('prettier'), target: '' })
  symlinkSync('target', join(project.root, '.prettierignore'))
  const { problems } = await project.run('init', '--yes')
  expect(problems).toContain(join(project.root, '.prettierignore'))
  await expectGolden(problems, 'symbolic-link', { [project.root]: '<root>' })
  expect(project.read('target')).toBe('')
})

test('a real formatter leaves recordings alone after init, and lays them out anew before', async () => {
  using project = new Formatted({ 'package.json': devDependency('oxfmt'), 'a.test.ts': '' })
  await project.save(PATH, recorded([question(`${'long '.repeat(20)}?`), 'answer']))
  const file = `__recordings__/${PATH}`
  const recording = project.read(file)
  const oxfmt = fileURLToPath(new URL('../../../node_modules/oxfmt/bin/oxfmt', import.meta.url))
  spawnSync(process.execPath, [oxfmt], { cwd: project.root })
  expect(project.read(file)).not.toBe(recording)
  const named = await project.run('verify')
  expect(named.code).toBe(1)
  expect(named.out).toContain('npx vitest-cassette verify --fix-layout')
  expect(named.out).toContain('npx vitest-cassette init')

  expect((await project.run('verify', '--fix-layout')).code).toBe(0)
  expect(project.read(file)).toBe(recording)
  await project.run('init', '--yes')
  spawnSync(process.execPath, [oxfmt], { cwd: project.root })
  expect(project.read(file)).toBe(recording)
})
