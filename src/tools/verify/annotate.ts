import { join } from 'node:path'
import type { Finding } from './check.ts'
import type { Terminal } from '../terminal/command.ts'
import type { Verification } from './verify-cassettes.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { addToSummary } from '../terminal/github.ts'
import { pathFrom } from '../../config/paths.ts'
import { printable } from '../../text/printable.ts'
/** A finding as the workflow command that shows it beside its line in a pull request. */
export function annotate(finding: Finding, terminal: Terminal): string {
  const { check, severity, line } = finding
  const properties = {
    file: fromRepository(finding.file, terminal),
    ...(line === undefined ? {} : { line: String(line) }),
    title: `vitest-cassette verify: ${check}`,
  }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`)
  return `::${severity} ${list.join(',')}::${escapeData(problemIn(finding))}\n`
}

/** The file of a finding, and the line where one is known. */
export function findingPlace({ file, line }: Finding): string {
  return line === undefined ? file : `${file}:${line}`
}

/** The problem of a finding, with its place in the cassette. */
export function problemIn({ place, problem }: Finding): string {
  return place === undefined ? problem : `${place}: ${problem}`
}

/** Adds the findings to the summary of the job. */
export function summarize(
  { findings }: Verification,
  conclusion: string,
  terminal: Terminal,
): void {
  const rows = findings.map((finding) => {
    const cells = [findingPlace(finding), finding.check, problemIn(finding)]
    return `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
  })
  const table =
    rows.length > 0 ? `\n| file | check | problem |\n|---|---|---|\n${rows.join('')}` : ''
  addToSummary(
    () => `### vitest-cassette verify\n\n${escapeMarkdown(conclusion)}\n${table}\n`,
    terminal,
  )
}

/** The path of a file from the root of the repository, as annotations need it. The project can lie below the root. */
function fromRepository(file: string, { cwd, env }: Terminal): string {
  if (!env.GITHUB_WORKSPACE) return file
  return pathFrom(env.GITHUB_WORKSPACE, join(cwd, file))
}

function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
