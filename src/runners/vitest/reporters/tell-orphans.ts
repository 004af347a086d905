import { existsSync } from 'node:fs'
import type { Colors } from 'picocolors/types.js'
import { appendLine } from '../../../attempt/run-channel.ts'
import type { Orphan } from '../../../cassette/orphans.ts'
import type { CassetteStore } from '../../../cassette/store.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { printable } from '../../../text/printable.ts'
import { summaryRows } from '../../run-watchers.ts'
import type { CassetteFolderOfRun, EndedRun } from './ended-run.ts'
import { plannedFiles, whyPartial } from './partial-run.ts'

/** Further orphans are only counted. */
const MAX_SHOWN = 20

/** Names the cassettes whose test is gone, after a run of all tests that passed. On CI, `orphans: 'fail'` fails it. */
export async function tellOrphans(run: EndedRun): Promise<string[]> {
  const { vitest, modules, passed, pruneRun, paint } = run
  const silence = passed
    ? whyPartial(vitest, modules, await plannedFiles(vitest))
    : 'not all tests passed'
  const judged = silence === undefined ? await judge(run) : []
  if (pruneRun !== undefined) {
    const folders = judged.map(({ config: { dir }, root, orphans }) => ({ root, dir, orphans }))
    appendLine(pruneRun, { kind: 'orphans', report: { silence, folders } })
    return []
  }
  const found = judged.filter(({ orphans }) => orphans.length > 0)
  return found.map(({ config, store, orphans }) => {
    const fails = config.orphans === 'fail' && readEnvironment(process.env).ci
    if (fails) process.exitCode = 1
    return render(store, orphans, fails, paint)
  })
}

/** A cassette folder, and the cassettes in it that no test uses. */
interface Judged extends CassetteFolderOfRun {
  store: CassetteStore
  orphans: Orphan[]
}

async function judge({ modules, folders, pruneRun }: EndedRun): Promise<Judged[]> {
  const there = [...folders].filter(([path]) => pruneRun !== undefined || existsSync(path))
  if (there.length === 0) return []
  const { CassetteStore, findOrphans, livingTests } = await import('./at-run-end.ts')
  return there.map(([path, folder]) => {
    const { root, roots, config } = folder
    const store = new CassetteStore(root, config.dir, config.maxCassetteBytes)
    return { ...folder, store, orphans: findOrphans(store, livingTests(modules, roots, path)) }
  })
}

function render(store: CassetteStore, orphans: Orphan[], fails: boolean, paint: Colors): string {
  const count = `${orphans.length} ${orphans.length === 1 ? 'cassette' : 'cassettes'} without a test`
  const shown = orphans
    .slice(0, MAX_SHOWN)
    .flatMap(({ path, id, renamedTo }) => [
      printable(id),
      renamedTo !== undefined && `  renamed to ${printable(renamedTo)}`,
      `  ${paint.dim(printable(store.display(path)))}`,
    ])
  const lines = [
    (fails ? paint.red : paint.yellow)(count),
    ...shown,
    orphans.length > MAX_SHOWN && `and ${orphans.length - MAX_SHOWN} more`,
    `See and delete them: ${paint.bold('npx vitest-cassette prune')}`,
  ]
  return summaryRows('Orphans', lines, paint)
}
