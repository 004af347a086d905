import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeAtomically } from '../../cassette/write-file.ts'
import { tryParseJson, type JsonValue } from '../../json/json-value.ts'
import { withoutSecrets } from '../../secrets/without-secrets.ts'
import { countOf } from '../../text/count-of.ts'
import { escapeInSlashes } from '../../text/escape-pattern.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import { Git } from '../programs/git.ts'
import { nameConfig } from '../programs/run-vitest.ts'
import { foldersOf } from '../sources/cassette-folders.ts'
import { findPersonal, type PersonalText } from '../sources/personal.ts'
import type { Terminal } from '../terminal/command.ts'

/** Personal data in a cassette, and its place for people. */
interface Found extends PersonalText {
  place: string
}

/** A person reads no more places. */
const MOST_SHOWN = 20

/**
 * Names personal data in cassettes that are about to be committed: new ones, and those that differ from the last
 * commit. Says the rules that keep it out, or writes them into the config.
 *
 * @param args options of Vitest, which may name another config
 * @returns whether personal data was found that no rule was written for
 */
export async function findPersonalData(
  args: readonly string[],
  isFixing: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const found = uncommitted(terminal).flatMap((file) => personalIn(file, terminal))
  if (found.length === 0) return false
  const { warn, colors, cwd } = terminal
  const config = nameConfig(cwd, args)
  const rules = rulesFor(found)
  const lines = found
    .slice(0, MOST_SHOWN)
    .map(
      ({ place, kind, text }) =>
        `  ${layOutLine(place)}: ${kind} ${quoteStart(layOutLine(withoutSecrets(text)))}`,
    )
  const left = found.length - MOST_SHOWN
  warn(
    `\n${colors.bold(`${countOf(found.length, 'text looks', 'texts look')} like personal data in what you are about to commit:`)}\n` +
      [...lines, ...(left > 0 ? [`  and ${left} more`] : [])].join('\n'),
  )
  const file = resolve(cwd, config)
  const fixed =
    isFixing && existsSync(file) ? addRules(readFileSync(file, 'utf8'), rules) : undefined
  if (fixed !== undefined) {
    await writeAtomically(file, fixed)
    warn(`Wrote ${rules.join(', ')} to redact in ${config}. Record these tests again.`)
    return false
  }
  warn(
    `${isFixing ? `--fix found no place for it in ${config}. ` : ''}` +
      `If it must not be stored, write in cassettes({ … }) in ${config}, and record these tests again:\n` +
      `  ${colors.bold(`redact: [${layOutLine(rules.join(', '))}]`)}` +
      (isFixing ? '' : '\nOr let doctor write it: npx vitest-cassette doctor --fix'),
  )
  return true
}

/** The cassettes that git would commit and that differ from the last commit, as paths from here; none without git. */
function uncommitted(terminal: Terminal): string[] {
  const git = new Git(terminal.cwd, terminal.env)
  const folders = foldersOf({}, terminal).map(({ store }) => store.display(''))
  if (folders.length === 0) return []
  const list = (...words: string[]): string[] =>
    (git.try([...words, '-z', '--', ...folders]) ?? '').split('\0').filter(Boolean)
  const files = [
    ...list('ls-files', '--modified', '--others', '--exclude-standard'),
    ...list('diff', '--cached', '--name-only', '--relative', '--diff-filter=d'),
  ]
  return [...new Set(files)].filter(
    (file) => file.endsWith('.json') && existsSync(join(terminal.cwd, file)),
  )
}

function personalIn(file: string, { cwd }: Terminal): Found[] {
  const stored = tryParseJson(readFileSync(join(cwd, file), 'utf8'))
  const exchanges = (stored as { exchanges?: JsonValue[] } | undefined)?.exchanges ?? []
  const seen = new Set<string>()
  return exchanges.flatMap((exchange, at) => {
    // A text that is the whole prompt stands beside the request.
    const { response, ...request } = exchange as Record<string, JsonValue>
    return Object.entries({ request, response }).flatMap(([half, value = null]) =>
      findPersonal(value)
        .filter(({ text }) => !seen.has(text))
        .map((one) => {
          seen.add(one.text)
          return { ...one, place: `${file}, ${half} of exchange ${at + 1}` }
        }),
    )
  })
}

/** One rule for each text, as source code. */
function rulesFor(found: readonly Found[]): string[] {
  const texts = [...new Set(found.map(({ text }) => text))]
  return texts.map((text) => {
    // A short name is part of other words.
    const [start, end] = [/^\w/, /\w$/].map((edge) => (edge.test(text) ? String.raw`\b` : ''))
    return `/${start}${escapeInSlashes(text)}${end}/`
  })
}

/** The text of a config with more rules of redaction; `undefined` where it is not clear where they go. */
export function addRules(config: string, rules: readonly string[]): string | undefined {
  const fresh = rules.filter((rule) => !config.includes(rule)).join(', ')
  if (fresh === '') return config
  if (/\bredact: \[/.test(config))
    return config.replace(/\bredact: \[/, () => `redact: [${fresh}, `)
  if (/\bredact\b/.test(config)) return undefined
  if (/\bcassettes\(\)/.test(config))
    return config.replace('cassettes()', () => `cassettes({ redact: [${fresh}] })`)
  if (/\bcassettes\(\{/.test(config))
    return config.replace('cassettes({', () => `cassettes({ redact: [${fresh}],`)
  return undefined
}
