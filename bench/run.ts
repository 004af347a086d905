// Side by side with the peers: `npm run bench`; README.md says how.
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AGAINST, CONTESTANTS, OF_SUITES, printTables, writeTables, type Results } from './table.ts'
import { prepareProject, runVitest, suiteRows, timeVerify, vitestRows } from './vitest-rows.ts'
import { workloads, type Measured } from './workloads.ts'

/** Milliseconds after which a process counts as failed. */
const TIMEOUT = 120_000

/** The peers whose versions the table names. */
const PEERS = ['msw', 'nock', '@pollyjs/core', '@copilotkit/aimock', 'llm-vcr', 'vitest']

const { values: given } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    suites: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    contestants: { type: 'string' },
    against: { type: 'string' },
  },
})
const onVitest = { ...vitestRows, ...suiteRows }
const rows = chosen(
  'row',
  given.rows,
  Object.keys({ ...workloads, ...onVitest }),
  given.suites
    ? Object.keys(suiteRows).filter((name) => !suiteRows[name]!.byName)
    : Object.keys({ ...workloads, ...vitestRows }),
)
const contestants = chosen(
  'contestant',
  given.contestants,
  [...new Set([...CONTESTANTS, ...OF_SUITES])],
  given.suites ? OF_SUITES : CONTESTANTS,
)
// All others are compared with it.
if (!contestants.includes('floor')) contestants.unshift('floor')
if (given.against !== undefined) {
  const checkout = resolve(given.against)
  for (const needed of ['dist/open-cassette.mjs', 'bench/save-exchanges.ts'])
    if (!existsSync(join(checkout, needed))) throw new Error(`${checkout} has no ${needed}.`)
  process.env.BENCH_AGAINST = checkout
  contestants.push(AGAINST)
}
const rounds = Number(given.rounds ?? (given.full ? 7 : 3))
/** Milliseconds after which a row begins no further round. */
const patience = given.full || given.rounds !== undefined ? Infinity : 4_000
const here = import.meta.dirname
// Inside the package, so that projects resolve their imports.
mkdirSync(join(here, '.tmp'), { recursive: true })
const folder = mkdtempSync(join(here, '.tmp', 'run-'))
const children = new Set<ChildProcess>()
const results: Results = {}
const readme = join(here, 'README.md')
const written = readFileSync(readme, 'utf8')

try {
  const upstream = await startUpstream()
  for (const row of rows) {
    await measureRow(row, upstream)
    // Of hours of measuring, what is done is kept.
    if (given.write) writeFileSync(readme, writeTables(written, results, contestants, ranOn()))
  }
  console.log(`${printTables(results, contestants)}\n\n${ranOn()}`)
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The names of a list that was given, all of them known, or the usual ones. */
function chosen(
  what: string,
  list: string | undefined,
  known: string[],
  usual: readonly string[],
): string[] {
  if (list === undefined) return [...usual]
  const names = list.split(',')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no ${what} "${unknown}". There are: ${known.join(', ')}.`)
  return names
}

async function measureRow(row: string, upstream: string): Promise<void> {
  const started = performance.now()
  const names = contestants.filter((name) => takesPart(name, row))
  const run = onVitest[row] ? await ofVitest(row, names) : await ofWorkload(row, names, upstream)
  const measured: Record<string, Measured[]> = (results[row] = {})
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && performance.now() - started > patience) break
    for (const name of shuffle(names)) {
      const known = (measured[name] ??= [])
      if (!known.some(({ wrong }) => wrong)) known.push(await run(name))
    }
  }
  rmSync(join(folder, row), { recursive: true, force: true })
  console.error(`${row}: ${Math.round((performance.now() - started) / 1_000)} s`)
}

/** Whether there is such a row of a contestant. Some are only of Vitest. */
function takesPart(name: string, row: string): boolean {
  const vitest = onVitest[row]
  if (vitest) return vitest.contestants.includes(name)
  return (
    (workloads[row]!.contestants?.includes(name) ?? true) &&
    existsSync(join(here, 'contestants', `${name}.ts`))
  )
}

/** Prepares a project for each contestant. Returns what runs one. */
async function ofVitest(
  row: string,
  names: string[],
): Promise<(name: string) => Promise<Measured>> {
  const vitest = onVitest[row]!
  const files = vitest.files ?? (given.full ? 40 : 10)
  const projectOf = (name: string): string => join(folder, row, name)
  for (const name of names)
    await prepareProject(projectOf(name), vitest, name, files, environment())
  return async (name) => {
    const measured = { ...(await runVitest(projectOf(name), environment())), files }
    if (!vitest.byName || name === 'floor') return measured
    return { ...measured, kinds: { verify: await timeVerify(projectOf(name), environment()) } }
  }
}

/** Prepares the recordings of each contestant. Returns what measures one in a process of its own. */
async function ofWorkload(
  row: string,
  names: string[],
  upstream: string,
): Promise<(name: string) => Promise<Measured>> {
  if (workloads[row]!.records) return (name) => measure([name, row, folder, upstream])
  // The first contestant writes the file of answers that all of them read.
  const [first, ...others] = names
  await prepare(first!, row)
  await Promise.all(others.map((name) => prepare(name, row)))
  return (name) => measure([name, row, folder])
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
  return new Promise((resolved) => {
    let measured: Measured = { times: [], wrong: 'fails' }
    children.add(child)
    child.on('message', (message: Measured) => (measured = message))
    const tooLong = setTimeout(() => child.kill('SIGKILL'), TIMEOUT)
    child.on('exit', () => {
      clearTimeout(tooLong)
      children.delete(child)
      resolved(measured)
    })
  })
}

/** An environment like that of a developer, with credentials that redacting tools look for. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '', BENCH_AGAINST = '' } = process.env
  const key = (name: string): string => `${name}-0123456789abcdefghijklmnopqrstuvwxyz`
  return {
    PATH,
    HOME,
    BENCH_AGAINST,
    NODE_NO_WARNINGS: '1',
    OPENAI_API_KEY: key('sk-proj'),
    ANTHROPIC_API_KEY: key('sk-ant-api03'),
    GITHUB_TOKEN: key('github_pat'),
  }
}

/** The machine, the day, and the versions of what was measured. */
function ranOn(): string {
  const [cpu] = cpus()
  const machine = `${cpu?.model.trim() || process.arch} (${cpus().length} cores), Node ${process.versions.node}`
  const date = new Date().toISOString().slice(0, 10)
  return `${machine}, ${date}; ${PEERS.map((name) => `${name} ${versionOf(name)}`).join(', ')}.`
}

function versionOf(name: string): string {
  const places = [here, join(here, '..')].map((at) =>
    join(at, 'node_modules', name, 'package.json'),
  )
  const manifest = JSON.parse(
    readFileSync(
      places.find((path) => existsSync(path))!,
      'utf8',
    ),
  ) as {
    version: string
  }
  return manifest.version
}

function startUpstream(): Promise<string> {
  const child = fork(join(here, 'upstream.ts'))
  children.add(child)
  return new Promise((resolved) => child.once('message', (url) => resolved(String(url))))
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
