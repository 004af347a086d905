import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workspace } from '../e2e/install-package.ts'
import { BY_SOCKET, endOf, filesBelow, start } from '../e2e/vitest-project.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import type { Lab } from './lab.ts'
import { type LabRun, readScenarios, RUNS, type RunName } from './runs.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const VITEST = at('../../node_modules/vitest/vitest.mjs')

/** The only scenario that is made, with its variants, whose runs are printed as a person would see them. */
const only = process.env.LAB

const scenarios = Object.fromEntries(
  Object.entries(readScenarios()).filter(
    ([name]) => only === undefined || `${name}-`.startsWith(`${only}-`),
  ),
)

/** Makes all runs of the lab, and tells the tests where they are. */
export default async function makeLab(): Promise<void> {
  if (process.env.CASSETTE_LAB) return
  if (Object.keys(scenarios).length === 0) throw new Error(`There is no scenario LAB=${only}.`)
  const folder = join(workspace(), 'lab')
  process.env.CASSETTE_LAB = folder
  const upstream = await startUpstream()
  const runs = Object.entries(RUNS) as Array<[RunName, LabRun]>
  // One after the other, so that what the upstream saw is what one of them sent.
  for (const [name, run] of runs) if (run.isLive) await make(name, run, folder, upstream)
  await upstream.stop()
  const left = runs.filter(([, run]) => !run.isLive)
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await make(...next, folder, upstream)
  }
  await Promise.all([worker(), worker()])
}

async function make(name: RunName, run: LabRun, lab: string, upstream: Upstream): Promise<void> {
  const taking = Object.keys(scenarios).filter((one) => scenarios[one]!.runs.includes(name))
  if (taking.length === 0) return
  const folder = join(lab, name)
  cpSync(at('workspace'), folder, { recursive: true })
  // All of them, since one may import the files of another.
  cpSync(at('scenarios'), folder, { recursive: true })
  for (const one of taking) {
    const recorded = join(lab, run.after ?? '', one, '__recordings__')
    if (run.after && existsSync(recorded))
      cpSync(recorded, join(folder, one, '__recordings__'), { recursive: true })
  }
  mkdirSync(join(folder, 'told'))
  const before = filesIn(folder, taking)
  const asked = run.isLive ? await upstream.asked() : []
  const isShown = only !== undefined && process.stdout.isTTY
  const child = start(process.execPath, [VITEST, 'run', ...(run.args ?? [])], folder, {
    ...(isShown ? { NO_COLOR: undefined, FORCE_COLOR: '1' } : {}),
    ...(run.bySockets ? BY_SOCKET : {}),
    ODD_URL: upstream.oddUrl,
    UPSTREAM_URL: upstream.url,
    FRONT_URL: upstream.frontUrl,
    LAB_RUN: name,
    LAB_SCENARIOS: taking.join(),
    ...run.env,
  })
  const { exitCode, output } = await endOf(child)
  if (only !== undefined) process.stdout.write(`\n== ${name}\n${output}`)
  if (!existsSync(join(folder, 'outcome.json')))
    throw new Error(`The run "${name}" of the lab has not ended:\n${output}`)
  const made: Lab = {
    ...JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8')),
    exitCode,
    output,
    before,
    after: filesIn(folder, taking),
    asked: run.isLive ? (await upstream.asked()).slice(asked.length) : [],
    ports: [upstream.oddUrl, upstream.url, upstream.frontUrl].map((url) => new URL(url).port),
  }
  writeFileSync(join(folder, 'lab.json'), JSON.stringify(made))
}

/** The text of each cassette of each scenario, and the hash of each other file, by its path in the folder of recordings. */
function filesIn(folder: string, names: readonly string[]): Lab['before'] {
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name, '__recordings__')
      const files = filesBelow(path).map((file) => [file, contentOf(join(path, file))])
      return [name, Object.fromEntries(files)]
    }),
  )
}

function contentOf(file: string): string {
  const bytes = readFileSync(file)
  return file.endsWith('.json')
    ? bytes.toString()
    : createHash('sha256').update(bytes).digest('hex')
}
