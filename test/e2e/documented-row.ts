import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { printTable, sectionOf } from '../docs-section.ts'

/** What a runner is tried with, in the order of the columns of docs/versions.md. */
const COLUMNS = ['record', 'replay', 'drift', 'orphan'] as const

const PAGE = fileURLToPath(new URL('../../docs/versions.md', import.meta.url))

/** Tells what a test has shown of a runner. */
export type Show = (column: (typeof COLUMNS)[number], cell?: string) => void

/**
 * Holds one row of the runners in docs/versions.md against what the tests around it show, as soon as they have shown
 * all of it; `-u` writes it. Tests that fail, or are left out, show nothing.
 *
 * @returns what each of those tests calls at its end
 */
export function documentedRow(runner: string): Show {
  const shown: Partial<Record<(typeof COLUMNS)[number], string>> = {}
  afterAll(() => {
    const cells = COLUMNS.flatMap((column) => shown[column] ?? [])
    if (cells.length === COLUMNS.length) holdRow([runner, ...cells])
  })
  return (column, cell = 'yes') => {
    shown[column] = cell
  }
}

function holdRow(row: string[]): void {
  const document = readFileSync(PAGE, 'utf8')
  const { before, text, after } = sectionOf(document, 'runners')
  const rows = text
    .trim()
    .split('\n')
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const at = rows.findIndex(([name]) => name === row[0])
  const written = at < 0 ? [...rows, row] : rows.with(at, row)
  if (isUpdating()) writeFileSync(PAGE, `${before}\n\n${printTable(written)}\n\n${after}`)
  else expect(row, 'a row of docs/versions.md; -u writes it').toEqual(rows[at])
}

/** Whether this run has the option `-u`. */
function isUpdating(): boolean {
  const { config } = (
    globalThis as unknown as {
      __vitest_worker__: { config: { snapshotOptions: { updateSnapshot: string } } }
    }
  ).__vitest_worker__
  return config.snapshotOptions.updateSnapshot === 'all'
}
