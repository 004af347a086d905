import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { cassettePath } from '../src/cassette/paths.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { PROVIDER, singleCall, type Exchange } from './exchanges.ts'
import type { Measured } from './workloads.ts'

/** A row that runs Vitest on a project: files of {@link TESTS} tests, isolated. */
export interface VitestRow {
  title: string
  /** The highest ratio to the floor that is acceptable. */
  target: number
  contestants: string[]
  /** Whether each test calls a model once. */
  calls: boolean
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
    target: 1.03,
    contestants: ['floor', ...OURS, 'msw-fetch', 'msw', 'llm-vcr', 'vi.stubGlobal'],
    calls: true,
  },
  'vitest-idle': {
    title: '`vitest run` where no test calls a model, against Vitest alone',
    target: 0.95,
    contestants: ['floor', ...OURS, 'msw-fetch', 'msw'],
    calls: false,
  },
}

/** Whole suites, which take minutes each, so that only `--suites` measures them. */
export const suiteRows: Record<string, VitestRow> = Object.fromEntries(
  [40, 400].flatMap((files) =>
    ['forks', 'threads', 'vmForks'].flatMap((pool) =>
      [true, false].map((calls) => [
        `suite-${files}-${pool}-${calls ? 'calls' : 'idle'}`,
        {
          title: `${files} files, \`${pool}\`, ${calls ? 'a call in each test' : 'no calls'}`,
          target: calls ? 1.03 : 0.95,
          contestants: ['floor', ...OURS, 'vitest-cassette-uncached'],
          calls,
          files,
          pool,
        },
      ]),
    ),
  ),
)

const TESTS = 5
const exchanges = Array.from({ length: TESTS }, (_, index) => singleCall(index, 1_400))
const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const ANSWERS = `import { readFileSync } from 'node:fs'
const stored = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8'))
const respond = ({ answer }) => new Response(answer, { headers: { 'content-type': 'application/json' } })
`

const BY_TEXT = `${ANSWERS}const answers = new Map(stored.map((one) => [one.prompt, one]))
const post = http.post('${PROVIDER}/chat/completions', async ({ request }) => respond(answers.get(await request.text())))
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
  const { calls } = row
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
  for (let file = 0; file < files; file++) write(testFile(file), calls ? asking(name, file) : IDLE)
  if (hasPlugin(name)) installPackage(project, name)
  if (calls) await saveRecordings(project, name, files)
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
  const options = name === 'vitest-cassette-uncached' ? '{ compileCache: false }' : ''
  return [
    ...(hasPlugin(name) ? ["import { cassettes } from 'vitest-cassette/plugin'"] : []),
    "import { defineConfig } from 'vitest/config'",
    `const test = ${JSON.stringify(test)}`,
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
  const { saveExchanges } = (await import(
    join(checkout, 'bench/save-exchanges.ts')
  )) as typeof import('./save-exchanges.ts')
  const url = `${PROVIDER}/chat/completions`
  return (file, index, exchange) => {
    const path = cassettePath({ file: testFile(file), titles: [`test ${index}`], ordinal: 0 })
    return saveExchanges(folder, path, url, [exchange])
  }
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
  return { times, cpu: cpuSeconds(await counted) }
}

function testFile(index: number): string {
  return `file-${index}.test.mjs`
}

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

async function ask(prompt) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-0123456789abcdefghijklmnop' }
  const body = JSON.stringify(prompt)
  const response = await fetch('${PROVIDER}/chat/completions', { method: 'POST', headers, body })
  return (await response.json()).choices[0].message.content
}

test.for(${JSON.stringify(cases)})('test $index', async ({ index, prompt, text, answer }) => {
  expect(await ${call}).toBe(text)
})
`
}
