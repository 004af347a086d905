import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { countOf } from '../../text/count-of.ts'
import { Git } from '../programs/git.ts'
import {
  caution,
  type Command,
  defineCommand,
  isConfirmed,
  YES_OPTION,
} from '../terminal/command.ts'
import { explainUnseenTypes } from '../programs/unseen-types.ts'
import { takesPath } from '../terminal/options.ts'
import { type Addition, append, read } from './additions.ts'
import { findIgnores, findStrictHooks } from './formatters.ts'

/** The lines that git needs for the cassettes in a folder, by file. */
function linesFor(dir: string): Record<string, string[]> {
  return {
    '.gitattributes': [
      '# Cassettes keep their line ends, and two recordings of a test are never merged line by line into one.',
      '# In a conflict, git shows no lines of them. To take the recording of one branch: npx vitest-cassette resolve',
      '# They are not linguist-generated: GitHub would fold them away, and an edited answer has to be seen in review.',
      `${dir}/**/*.json text eol=lf -merge`,
      `${dir}/**/*.json diff=cassette`,
      `${dir}/blobs/** binary`,
    ],
    '.gitignore': ['# What is left of a recording whose process was killed.', `${dir}/**/.*.tmp`],
  }
}

export const init: Command = defineCommand({
  name: 'init',
  usage: '',
  summary: 'set up git to diff and merge cassettes, and formatters to ignore them',
  options: {
    dir: takesPath('folder', 'the folder of the cassettes (default: __recordings__)'),
    ...YES_OPTION,
  },
  async run(_positionals, values, terminal) {
    const named = values.dir?.replace(/^\.\/|\/+$/g, '')
    // Packages below have folders of their own.
    const dir = named ?? '**/__recordings__'
    const unseen = await explainUnseenTypes(terminal.cwd)
    if (unseen !== undefined) caution(`${unseen}\n`, terminal)
    const git = new Git(terminal.cwd, terminal.env)
    const up = git.try(['rev-parse', '--show-cdup'])?.trim() ?? ''
    const found = [
      ...findMissing(terminal.cwd, dir),
      ...findIgnores(terminal.cwd, dir, up),
      ...missingSetting(git),
    ]
    for (const note of findStrictHooks(terminal.cwd, up)) caution(`${note}\n`, terminal)
    for (const { file, lines } of found.filter(({ write }) => !write))
      caution(`Add this to ${file} yourself:\n  ${lines.join('\n  ')}\n`, terminal)
    const additions = found.filter(({ write }) => write)
    if (additions.length === 0) {
      if (found.length === 0)
        terminal.write(`Git and formatters are already set up for ${named ?? '__recordings__'}.\n`)
      return 0
    }
    for (const { file, lines } of additions) {
      const shown = lines.map((line) => `  ${terminal.colors.green(`+ ${line}`)}\n`)
      terminal.write(`${terminal.colors.bold(file)}\n${shown.join('')}`)
    }
    const files = countOf(additions.length, 'file')
    if (!(await isConfirmed('Write', files, values, terminal))) return 1
    for (const { write } of additions) await write!()
    terminal.write(`Wrote ${additions.map(({ file }) => file).join(' and ')}.\n`)
    return 0
  },
})

/** The rules that each file lacks, at any place in it. Comments are added only together with a rule. */
function findMissing(root: string, dir: string): Addition[] {
  return Object.entries(linesFor(dir)).flatMap(([file, lines]) => {
    const known = new Set(
      read(root, file)
        .split(/\r?\n/)
        .map((line) => line.trim()),
    )
    const rules = lines.filter((line) => !line.startsWith('#') && !known.has(line))
    const comments = lines.filter((line) => line.startsWith('#') && !known.has(line))
    const missing = [...comments, ...rules]
    const write = (): Promise<void> => append(root, file, missing)
    return rules.length > 0 ? [{ file, lines: missing, write }] : []
  })
}

const TEXTCONV = 'diff.cassette.textconv'

/** The setting of this clone that makes `git diff` show conversations: git runs no command that a file names. */
function missingSetting(git: Git): Addition[] {
  const prefix = git.try(['rev-parse', '--show-prefix'])?.trim()
  if (prefix === undefined || git.try(['config', '--get', TEXTCONV]) !== undefined) return []
  const command = `f() { ${commandFrom(git.cwd, prefix)} diff --textconv "$1" 2>/dev/null || cat "$1"; }; f`
  return [
    {
      file: 'the config of this clone',
      lines: [`${TEXTCONV} = ${command}`],
      write: () => void git.run(['config', '--local', TEXTCONV, command]),
    },
  ]
}

/** The command as git calls it from the root of the repository. */
function commandFrom(cwd: string, prefix: string): string {
  const folders = prefix.split('/').filter(Boolean)
  for (let depth = folders.length; depth >= 0; depth--) {
    const up = Array.from({ length: folders.length - depth }, () => '..')
    const below = posix.join(...folders.slice(0, depth), 'node_modules/.bin/vitest-cassette')
    if (existsSync(join(cwd, ...up, 'node_modules/.bin/vitest-cassette'))) return `"${below}"`
  }
  return 'npx --no-install vitest-cassette'
}
