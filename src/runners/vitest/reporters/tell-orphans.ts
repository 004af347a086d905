import { existsSync } from 'node:fs'
import type { Colors } from 'picocolors/types.js'
import { appendLine } from '../../../attempt/run-channel.ts'
import type { Orphan } from '../../../cassette/orphans.ts'
import type { CassetteReader } from '../../../cassette/reader.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { printable } from '../../../text/printable.ts'
import { summaryRows } from '../../run-watchers.ts'
import type { CassetteFolderOfRun, EndedRun } from './ended-run.ts'
import { choosesFiles, plannedFiles, whyPartial } from './partial-run.ts'

/** Further orphans are only counted. */
const MAX_SHOWN = 20

/** Names the cassettes whose test is gone, after a run of all tests that passed. On CI, `orphans: 'fail'` fails it. */
export async function tellOrphans(run: EndedRun): Promise<string[]> {
  const { pruneRun, paint } = run
  if (pruneRun !== undefined) {
    const silence = await whySilent(run)
    const judged = silence === undefined ? await judge(run) : []
    const folders = judged.map(({ config: { dir }, root, orphans }) => ({ root, dir, orphans }))
    appendLine(pruneRun, { kind: 'orphans', report: { silence, folders } })
    return []
  }
  // To look for all test files takes longer than to look at all cassettes. To load what looks at them does not.
  const isEarly = choosesFiles(run.vitest)
  if (!run.passed || (isEarly && (await whySilent(run)) !== undefined)) return []
  const judged = await judge(run)
  const found = judged.filter(({ orphans }) => orphans.length > 0)
  if (found.length === 0 || (!isEarly && (await whySilent(run)) !== undefined)) return []
  return found.map(({ config, store, orphans }) => {
    const fails = failsFor(config)
    if (fails === 'here') process.exitCode = 1
    return render(store, orphans, fails, paint)
  })
}

/** Why a run says nothing of orphans; `undefined` for one of all tests that passed. */
async function whySilent({ vitest, modules, passed }: EndedRun): Promise<string | undefined> {
  return passed ? whyPartial(vitest, modules, await plannedFiles(vitest)) : 'not all tests passed'
}

/** A cassette folder, and the cassettes in it that no test uses. */
interface Judged extends CassetteFolderOfRun {
  store: CassetteReader
  orphans: Orphan[]
}

async function judge({ modules, folders, pruneRun }: EndedRun): Promise<Judged[]> {
  const there = [...folders].filter(([path]) => pruneRun !== undefined || existsSync(path))
  if (there.length === 0) return []
  const { CassetteReader, livingTests, orphanPaths } = await import('./at-replay-end.ts')
  const judged = there.map(async ([path, folder]) => {
    const { root, roots, config } = folder
    const living = livingTests(modules, roots, path)
    const { dir, maxCassetteBytes } = config
    const reader = new CassetteReader(root, dir, maxCassetteBytes, () => undefined)
    if (orphanPaths(reader.list(), living).length === 0)
      return { ...folder, store: reader, orphans: [] }
    const { CassetteStore, findOrphans } = await import('./at-run-end.ts')
    const store = new CassetteStore(root, dir, maxCassetteBytes)
    return { ...folder, store, orphans: findOrphans(store, living) }
  })
  return await Promise.all(judged)
}

/** Where a cassette without a test fails a run. */
function failsFor({ orphans }: CassetteFolderOfRun['config']): keyof typeof CONSEQUENCES {
  if (orphans !== 'fail') return 'nowhere'
  return readEnvironment(process.env).ci ? 'here' : 'on CI'
}

const CONSEQUENCES = {
  here: ', which fails this run (option orphans)',
  'on CI': ', which fails the run on CI',
  nowhere: '',
}

function render(
  store: CassetteReader,
  orphans: Orphan[],
  fails: keyof typeof CONSEQUENCES,
  paint: Colors,
): string {
  const count = `${orphans.length} ${orphans.length === 1 ? 'cassette' : 'cassettes'} without a test`
  const shown = orphans
    .slice(0, MAX_SHOWN)
    .flatMap(({ path, id, renamedTo }) => [
      printable(id),
      renamedTo !== undefined && `  renamed to ${printable(renamedTo)}`,
      `  ${paint.dim(printable(store.display(path)))}`,
    ])
  const lines = [
    (fails === 'here' ? paint.red : paint.yellow)(count + CONSEQUENCES[fails]),
    ...shown,
    orphans.length > MAX_SHOWN && `and ${orphans.length - MAX_SHOWN} more`,
    `See and delete them: ${paint.bold('npx vitest-cassette prune')}`,
  ]
  return summaryRows('Orphans', lines, paint)
}
