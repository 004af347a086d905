// Side by side with the peers: `npm run bench`, or `npm run bench -- --full --write`.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printTable, writeTable } from './table.ts'
import { prepareProject, runVitest, vitestRows } from './vitest-rows.ts'
import { workloads, type Measured } from './workloads.ts'

/** In the order of the table. */
const CONTESTANTS = [
  'floor',
  'limit',
  'vitest-cassette',
  'vitest-cassette-socket',
  'msw-fetch',
  'msw',
  'nock',
  'polly',
  'aimock',
  'llm-vcr',
]

/** Milliseconds after which a process counts as failed. */
const TIMEOUT = 120_000

const { values: given } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    rows: {
      type: 'string',
      default: [...Object.keys(workloads), ...Object.keys(vitestRows)].join(),
    },
    contestants: { type: 'string', default: CONTESTANTS.join() },
  },
})
const rows = given.rows.split(',')
const contestants = given.contestants.split(',')
const rounds = Number(given.rounds ?? (given.full ? 7 : 3))
/** Milliseconds after which a row begins no further round. */
const patience = given.full ? Infinity : 4_000
const here = import.meta.dirname
// Inside the package, so that projects resolve their imports.
mkdirSync(join(here, '.tmp'), { recursive: true })
const folder = mkdtempSync(join(here, '.tmp', 'run-'))
const children = new Set<ChildProcess>()
/** The measurement of each round, by row and contestant. */
const results: Record<string, Record<string, Measured[]>> = {}

try {
  const upstream = await startUpstream()
  for (const row of rows) await measureRow(row, upstream)
  console.log(printTable(results, contestants))
  if (given.write) writeTable(results, contestants)
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function measureRow(row: string, upstream: string): Promise<void> {
  const started = performance.now()
  const files = given.full ? 100 : 10
  const vitest = vitestRows[row]
  const names = vitest
    ? vitest.contestants.filter((name) => contestants.includes(name))
    : contestants
  if (vitest) for (const name of names) await prepareProject(folder, row, name, files)
  else if (workloads[row]!.records) mkdirSync(join(folder, row), { recursive: true })
  else {
    // The first contestant writes the file of answers that all of them read.
    const [first, ...others] = names
    await prepare(first!, row)
    await Promise.all(others.map((name) => prepare(name, row)))
  }
  const measured: Record<string, Measured[]> = (results[row] = {})
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && performance.now() - started > patience) break
    for (const name of shuffle(names)) {
      const known = (measured[name] ??= [])
      if (known.some(({ wrong }) => wrong)) continue
      known.push(
        vitest
          ? await runVitest(folder, row, name, environment())
          : await measure([name, row, folder, ...(workloads[row]!.records ? [upstream] : [])]),
      )
    }
  }
  rmSync(join(folder, row), { recursive: true, force: true })
  console.error(`${row}: ${Math.round((performance.now() - started) / 1_000)} s`)
}

async function prepare(name: string, row: string): Promise<void> {
  const { wrong } = await measure([name, row, folder, 'prepare'])
  if (wrong) throw new Error(`The recordings of ${name} for ${row} cannot be made.`)
}

/** Runs one process to its end. */
function measure(args: string[]): Promise<Measured> {
  const child = fork(join(here, 'measure.ts'), args, {
    env: environment(),
    stdio: 'ignore',
  })
  return new Promise((resolve) => {
    let measured: Measured = { times: [], wrong: 'fails' }
    children.add(child)
    child.on('message', (message: Measured) => (measured = message))
    const tooLong = setTimeout(() => child.kill('SIGKILL'), TIMEOUT)
    child.on('exit', () => {
      clearTimeout(tooLong)
      children.delete(child)
      resolve(measured)
    })
  })
}

/** An environment like that of a developer, with credentials that redacting tools look for. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const key = (name: string): string => `${name}-0123456789abcdefghijklmnopqrstuvwxyz`
  return {
    PATH,
    HOME,
    NODE_NO_WARNINGS: '1',
    OPENAI_API_KEY: key('sk-proj'),
    ANTHROPIC_API_KEY: key('sk-ant-api03'),
    GITHUB_TOKEN: key('github_pat'),
  }
}

function startUpstream(): Promise<string> {
  const child = fork(join(here, 'upstream.ts'))
  children.add(child)
  return new Promise((resolve) => child.once('message', (url) => resolve(String(url))))
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
