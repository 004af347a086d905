import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readEnvironment } from '../../config/environment.ts'
import { layOutLine } from '../../text/printable.ts'
import { commitOf, headBase, mergeBase, namedBase, type Base } from './git-states.ts'
import { Git } from '../programs/git.ts'
import { textconv } from './textconv.ts'
import { describeAll, describeTook, type Group, groupChanges, jsonOfGroup } from './groups.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderGroup } from './render-text.ts'
import { compareWithGit, namesOf, warnOfUnread, type GitComparison } from './compare-with-git.ts'
import { addToSummary } from '../terminal/github.ts'
import { PRICES_OPTION } from '../terminal/open-prices.ts'
import {
  type Command,
  defineCommand,
  type Terminal,
  WIDTH_OPTION,
  widthOf,
} from '../terminal/command.ts'
import { printJson } from '../terminal/write-json.ts'
import { flag, noFlag, takes, takesPath, wordOf, type OptionValues } from '../terminal/options.ts'
import { DIR_OPTION } from '../sources/cassette-folders.ts'

const FORMATS = ['text', 'markdown'] as const

export const diff: Command = defineCommand({
  name: 'diff',
  usage: '[ref] [path…]',
  summary: 'show what changed in cassettes since a commit, equal changes together',
  options: {
    format: takes(FORMATS, 'text (default), or markdown for the comment of a pull request'),
    ...PRICES_OPTION,
    json: flag('write JSON'),
    pager: noFlag('write all at once, in a terminal too'),
    ...WIDTH_OPTION,
    textconv: takesPath(
      'any',
      'write one file as the text that git compares; `init` tells git to call it',
    ),
    ...DIR_OPTION,
  },
  async run(positionals, values, terminal) {
    const file = values.textconv
    if (file !== undefined) {
      terminal.write(textconv(file, new Git(terminal.cwd, terminal.env)))
      return 0
    }
    const format = wordOf(values, 'format', FORMATS)
    const { base, names } = chooseBase(positionals, terminal)
    const found = compareWithGit(base, namesOf(names, terminal), values, terminal)
    const { comparisons, unread } = found
    const groups = groupChanges(comparisons)
    const markdown = (): string => renderMarkdown(comparisons, groups, unread, base.shown)
    addToSummary(markdown, terminal)
    if (values.json) printJson(jsonOf(found, groups, base), terminal)
    else if (format === 'markdown') terminal.write(markdown())
    else await writeText(found, groups, base, values, terminal)
    warnOfUnread(found, terminal)
    return unread.length > 0 ? 1 : 0
  },
})

/** The first word names a commit, unless it is a file or a piece of a name. */
function chooseBase(words: string[], terminal: Terminal): { base: Base; names: string[] } {
  const git = new Git(terminal.cwd, terminal.env)
  git.prefix()
  const [first, ...rest] = words
  const commit = first === undefined ? undefined : commitOf(git, first)
  if (first !== undefined && commit !== undefined && !existsSync(resolve(terminal.cwd, first)))
    return { base: namedBase(first, commit), names: rest }
  const { ci } = readEnvironment({ ...terminal.env })
  return { base: ci ? mergeBase(git, terminal.env) : headBase(git), names: words }
}

async function writeText(
  { comparisons, unread }: GitComparison,
  groups: readonly Group[],
  base: Base,
  values: OptionValues,
  terminal: Terminal,
): Promise<void> {
  const { colors } = terminal
  const options = { width: widthOf(terminal, values), colors }
  const took = describeTook(comparisons)
  const head = [
    layOutLine(describeAll(comparisons, groups, base.shown, unread.length)),
    ...(took ? [took] : []),
  ]
  const text = [head.join('\n'), ...groups.map((group) => renderGroup(group, options))].join('\n\n')
  if (terminal.page && values.pager !== false && groups.length > 0) await terminal.page(`${text}\n`)
  else terminal.write(`${text}\n`)
}

function jsonOf(
  { comparisons, unread }: GitComparison,
  groups: readonly Group[],
  { ref, shown }: Base,
) {
  return {
    base: { commit: ref, shown },
    groups: groups.map(jsonOfGroup),
    cassettes: comparisons.map(({ name, was, title, took, kept, changes }) => ({
      name,
      was,
      title,
      changes: changes.map(({ key }) => key),
      took,
      kept,
    })),
    unread,
  }
}
