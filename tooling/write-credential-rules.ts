import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { rulesOf } from './credential-rules.ts'

// Run this with the folder of a clone of https://github.com/gitleaks/gitleaks when that has new rules.
const [, , clone] = process.argv
if (clone === undefined) throw new Error('Name the folder of a clone of gitleaks.')
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 2 ** 24 })
const { marked, named } = rulesOf(git('show', 'HEAD:config/gitleaks.toml'))
const lines = (rules: string[][]): string => rules.map((rule) => JSON.stringify(rule)).join(',\n')
const file = new URL('../src/secrets/rules/gitleaks.json', import.meta.url)
writeFileSync(
  file,
  `{ "source": "config/gitleaks.toml of https://github.com/gitleaks/gitleaks, ${git('log', '-1', '--format=%H %cs').trim()}",
"license": ${JSON.stringify(
    git('show', 'HEAD:LICENSE')
      .trim()
      .split(/\s*\n\s*/)
      .join(' '),
  )},
"marked": [\n${lines(marked)}],
"named": [\n${lines(named)}] }\n`,
)
