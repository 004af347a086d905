import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { cassettePath } from '../src/cassette/paths.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { PROVIDER, singleCall, type Exchange } from './exchanges.ts'
import type { Budget, Measured } from './workloads.ts'

/** A row that runs Vitest on a project: files of {@link TESTS} tests, isolated. */
export interface VitestRow extends Budget {
  title: string
  contestants: string[]
  /** Whether each test calls a model once. */
  calls: boolean
  /** Its one file measures kinds of calls itself. */
  kinds?: true
  /** Measured by name alone. */
  byName?: true
  /** The number of test files, if the row decides it. */
  files?: number
  /** The pool of workers, if not the default one. */
  pool?: string
}

/** The contestants that are this package. */
const OURS = ['vitest-cassette', 'against']

export const vitestRows: Record<string, VitestRow> = {
  'vitest-calls': {
    title: '`vitest run`, isolated files × 5 tests, one call each',
    goal: 1.03,
    contestants: ['floor', ...OURS, 'msw-fetch', 'msw', 'llm-vcr', 'vi.stubGlobal'],
    calls: true,
  },
  'vitest-idle': {
    title: '`vitest run` where no test calls a model, against Vitest alone',
    goal: 0.95,
    contestants: ['floor', ...OURS, 'msw-fetch', 'msw'],
    calls: false,
  },
  'vitest-kinds': {
    title: 'a call in a test of Vitest, as recorded',
    contestants: OURS,
    calls: true,
    kinds: true,
    files: 1,
  },
}

/** The row of the largest suite, of which more than the CPU seconds are measured. */
export const LARGEST = 'suite-1000'

/** Whole suites, which take minutes each, so that only `--suites` measures them. */
export const suiteRows: Record<string, VitestRow> = {
  ...Object.fromEntries(
    [40, 400].flatMap((files) =>
      ['forks', 'threads', 'vmForks'].flatMap((pool) =>
        [true, false].map((calls) => [
          `suite-${files}-${pool}-${calls ? 'calls' : 'idle'}`,
          {
            title: `${files} files, \`${pool}\`, ${calls ? 'a call in each test' : 'no calls'}`,
            goal: calls ? 1.03 : 0.95,
            contestants: ['floor', ...OURS, 'vitest-cassette-uncached'],
            calls,
            files,
            pool,
          },
        ]),
      ),
    ),
  ),
  [LARGEST]: {
    title: '1,000 files, a call in each test',
    gate: 1.05,
    goal: 1.02,
    contestants: ['floor', ...OURS],
    calls: true,
    files: 1_000,
    byName: true,
  },
}

const TESTS = 5
const ENDPOINT = `${PROVIDER}/chat/completions`
const exchanges = Array.from({ length: TESTS }, (_, index) => singleCall(index, 1_400))
const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const ANSWERS = `import { readFileSync } from 'node:fs'
const stored = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8'))
const respond = ({ answer }) => new Response(answer, { headers: { 'content-type': 'application/json' } })
`

const BY_TEXT = `${ANSWERS}const answers = new Map(stored.map((one) => [one.prompt, one]))
const post = http.post('${ENDPOINT}', async ({ request }) => respond(answers.get(await request.text())))
`

/** The set-up file of each contestant that has one. */
const SETUPS: Record<string, string> = {
  floor: `${ANSWERS}let asked = 0
globalThis.fetch = async () => respond(stored[asked++])
`,
  'msw-fetch': `import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
${BY_TEXT}const sources = [new InterceptorSource({ interceptors: [new FetchInterceptor()] })]
defineNetwork({ sources, handlers: [post], context: { quiet: true } }).enable()
`,
  msw: `import { http } from 'msw'
import { setupServer } from 'msw/node'
${BY_TEXT}setupServer(post).listen()
`,
}

/** How the tests of a contestant ask, if not by the call alone. */
const ASKING: Record<string, { head: string; call: string }> = {
  'llm-vcr': {
    head: `import { createVCR } from 'llm-vcr'
const vcr = createVCR({ cassettesDir: './cassettes', mode: 'replay' })`,
    call: 'vcr.withCassette(`${FILE}-${index}`, () => ask(prompt))',
  },
  'vi.stubGlobal': {
    head: `import { afterEach, vi } from 'vitest'
afterEach(() => vi.unstubAllGlobals())
function stubbed(answer) {
  const headers = { 'content-type': 'application/json' }
  vi.stubGlobal('fetch', vi.fn(async () => new Response(answer, { headers })))
}`,
    call: '(stubbed(answer), ask(prompt))',
  },
}

/** Writes a project with the recordings of a contestant, and runs one of its files, which fills what caches there are. */
export async function prepareProject(
  project: string,
  row: VitestRow,
  name: string,
  files: number,
  env: Record<string, string>,
): Promise<void> {
  const { calls, kinds } = row
  mkdirSync(project, { recursive: true })
  const write = (file: string, content: string): void => writeFileSync(join(project, file), content)
  write('package.json', '{ "type": "module" }')
  const setup = calls || name !== 'floor' ? SETUPS[name] : undefined
  write('vitest.config.mjs', configOf(name, row.pool, setup !== undefined))
  if (setup) write('setup.mjs', setup)
  const answers = exchanges.map(({ prompt, answer }) => ({
    prompt: JSON.stringify(prompt),
    answer,
  }))
  write('answers.json', JSON.stringify(answers))
  for (let file = 0; file < files; file++)
    write(testFile(file), kinds ? KINDS : calls ? asking(name, file) : IDLE)
  if (kinds) write('kinds.json', JSON.stringify(kindsOfCalls()))
  if (hasPlugin(name)) installPackage(project, name)
  if (kinds) await saveKinds(project, checkoutOf(name))
  else if (calls) await saveRecordings(project, name, files)
  await runVitest(project, env, testFile(0))
}

function hasPlugin(name: string): boolean {
  return name.startsWith('vitest-cassette') || name === 'against'
}

/** The checkout whose build a contestant is. */
function checkoutOf(name: string): string {
  return name === 'against' ? process.env.BENCH_AGAINST! : root
}

function configOf(name: string, pool: string | undefined, hasSetup: boolean): string {
  const test = { ...(pool ? { pool } : {}), ...(hasSetup ? { setupFiles: ['./setup.mjs'] } : {}) }
  // What the process of the run needs, and how long it goes on after the last test.
  const options = name === 'vitest-cassette-uncached' ? '{ compileCache: false }' : ''
  return [
    ...(hasPlugin(name) ? ["import { cassettes } from 'vitest-cassette/plugin'"] : []),
    "import { defineConfig } from 'vitest/config'",
    "import { writeFileSync } from 'node:fs'",
    'let last = 0',
    'const ends = { onTestModuleEnd: () => void (last = performance.now()) }',
    "process.on('exit', () => writeFileSync('ended.json', JSON.stringify({",
    '  peak: process.resourceUsage().maxRSS / 1_024, closing: performance.now() - last })))',
    `const test = { ...${JSON.stringify(test)}, reporters: ['default', ends] }`,
    `export default defineConfig({ test${hasPlugin(name) ? `, plugins: [cassettes(${options})]` : ''} })`,
    '',
  ].join('\n')
}

/** Copies the package as npm does: Vitest would transform a linked one. */
function installPackage(project: string, name: string): void {
  for (const entry of ['dist', 'package.json'])
    cpSync(join(checkoutOf(name), entry), join(project, 'node_modules/vitest-cassette', entry), {
      recursive: true,
    })
}

/** Writes a cassette for each test. */
async function saveRecordings(project: string, name: string, files: number): Promise<void> {
  const save = hasPlugin(name)
    ? await ofPlugin(join(project, '__recordings__'), checkoutOf(name))
    : name === 'llm-vcr'
      ? await ofVcr(join(project, 'cassettes'))
      : undefined
  if (!save) return
  for (let file = 0; file < files; file++)
    for (const [index, exchange] of exchanges.entries()) await save(file, index, exchange)
}

type Save = (file: number, index: number, exchange: Exchange) => unknown

async function ofPlugin(folder: string, checkout: string): Promise<Save> {
  const save = await saverOf(checkout)
  return (file, index, exchange) => {
    const path = cassettePath({ file: testFile(file), titles: [`test ${index}`], ordinal: 0 })
    return save(folder, path, ENDPOINT, [exchange])
  }
}

async function saverOf(
  checkout: string,
): Promise<(typeof import('./save-exchanges.ts'))['saveExchanges']> {
  const { saveExchanges } = (await import(
    join(checkout, 'bench/save-exchanges.ts')
  )) as typeof import('./save-exchanges.ts')
  return saveExchanges
}

async function ofVcr(folder: string): Promise<Save> {
  // Imported here, since only who measures has installed the peers.
  const { saveVcr } = (await import(join(import.meta.dirname, 'contestants/llm-vcr.ts'))) as {
    saveVcr(folder: string, name: string, exchanges: readonly Exchange[]): void
  }
  mkdirSync(folder)
  return (file, index, exchange) => saveVcr(folder, `${file}-${index}`, [exchange])
}

/** Runs Vitest once, and measures the time of the whole command, and the CPU seconds of all its processes. */
export async function runVitest(
  project: string,
  env: Record<string, string>,
  ...files: string[]
): Promise<Measured> {
  // The shell counts its children, and theirs.
  const script = '"$@" > /dev/null; code=$?; times; exit $code'
  const started = performance.now()
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, vitest, 'run', ...files], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const counted = text(child.stdout)
  const code = await new Promise((resolve) => child.on('exit', resolve))
  const times = [performance.now() - started]
  if (code !== 0) return { times, wrong: 'fails' }
  return {
    times,
    cpu: cpuSeconds(await counted),
    ...readMeasured(join(project, 'ended.json')),
    ...readMeasured(join(project, 'measured.json')),
  }
}

function readMeasured(file: string): Partial<Measured> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Measured>) : {}
}

/** Runs `verify` on the cassettes of a project, and returns its milliseconds. */
export async function timeVerify(project: string, env: Record<string, string>): Promise<number> {
  const started = performance.now()
  const cli = join(project, 'node_modules/vitest-cassette/dist/cli.mjs')
  const child = spawn(process.execPath, [cli, 'verify'], { cwd: project, env, stdio: 'ignore' })
  await once(child, 'exit')
  return performance.now() - started
}

function testFile(index: number): string {
  return `file-${index}.test.mjs`
}

/** What is asked in the test of a kind of calls. */
interface Kind {
  name: string
  options?: { volatile: string[] }
  /** The parameters of the recording, and of this run. */
  params?: Record<'recorded' | 'declared', { order: string }>
  recorded: Exchange[]
  asked: Exchange[]
}

const CALLS = { warmUp: 100, measured: 200 }

/** The first is warm where the others begin. */
function kindsOfCalls(): Kind[] {
  const calls = (count: number, about: (index: number) => string): Exchange[] =>
    Array.from({ length: count }, (_, index) => singleCall(index, 1_400, about(index)))
  const many = CALLS.warmUp + CALLS.measured
  const uuid = (start: string) => (index: number) =>
    `${start}-5d4a-4c6b-9e8f-${String(index).padStart(12, '0')}`
  const kind = (name: string, recorded: Exchange[], asked = recorded): Kind => ({
    name,
    recorded,
    asked,
  })
  return [
    kind('plain', calls(many, String)),
    kind('sealed', calls(1, String)),
    kind('edited', calls(1, String)),
    {
      ...kind('volatile', calls(many, uuid('3f2b8c1e')), calls(many, uuid('7c1d9a2b'))),
      options: { volatile: ['uuid'] },
    },
    {
      ...kind(
        'parameter',
        calls(many, () => 'A-4711'),
        calls(many, () => 'B-2208'),
      ),
      params: { recorded: { order: 'A-4711' }, declared: { order: 'B-2208' } },
    },
  ]
}

/** Writes a cassette for each kind, and edits that of one. */
async function saveKinds(project: string, checkout: string): Promise<void> {
  const folder = join(project, '__recordings__')
  const save = await saverOf(checkout)
  for (const { name, recorded, params } of kindsOfCalls()) {
    const path = cassettePath({ file: testFile(0), titles: [name], ordinal: 0 })
    await save(folder, path, ENDPOINT, recorded, params?.recorded)
    if (name !== 'edited') continue
    const file = join(folder, path)
    const edited = readFileSync(file, 'utf8').replace('2026-01-02T', '2026-01-03T')
    writeFileSync(file, edited)
  }
}

const KINDS = `import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'
${asks()}
const kinds = {}
afterAll(() => writeFileSync('measured.json', JSON.stringify({ kinds })))

test.for(JSON.parse(readFileSync('kinds.json', 'utf8')))('$name', async ({ name, options, params, asked }) => {
  const cassette = useCassette(options)
  if (params) cassette.params(params.declared)
  const times = []
  for (const { prompt, text } of asked) {
    const started = performance.now()
    const answer = await ask(prompt)
    times.push(performance.now() - started)
    expect(answer).toBe(text)
  }
  const warm = times.slice(asked.length > 1 ? ${CALLS.warmUp} : 0).sort((one, other) => one - other)
  kinds[name] = warm[warm.length >> 1]
})
`

const IDLE = `import { expect, test } from 'vitest'
test.for(${JSON.stringify(exchanges.map((_, index) => index))})('test %i', (index) => {
  expect(JSON.stringify({ index })).toContain(String(index))
})
`

/** A test file whose tests ask one question each. */
function asking(name: string, file: number): string {
  const { head, call } = ASKING[name] ?? { head: '', call: 'ask(prompt)' }
  const answers = name === 'vi.stubGlobal'
  const cases = exchanges.map(({ prompt, text: expected, answer }, index) => ({
    index,
    prompt,
    text: expected,
    ...(answers ? { answer } : {}),
  }))
  return `import { expect, test } from 'vitest'
${head}
const FILE = ${file}
${asks()}

test.for(${JSON.stringify(cases)})('test $index', async ({ index, prompt, text, answer }) => {
  expect(await ${call}).toBe(text)
})
`
}

/** What asks one question, in a test file. */
function asks(): string {
  return `
async function ask(prompt) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-0123456789abcdefghijklmnop' }
  const body = JSON.stringify(prompt)
  const response = await fetch('${ENDPOINT}', { method: 'POST', headers, body })
  return (await response.json()).choices[0].message.content
}`
}
