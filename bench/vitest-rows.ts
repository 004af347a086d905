import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { cassettePath } from '../src/cassette/paths.ts'
import llmVcr from './contestants/llm-vcr.ts'
import { PROVIDER } from './contestant.ts'
import { singleCall } from './exchanges.ts'
import { saveExchanges } from './save-exchanges.ts'
import type { Measured } from './workloads.ts'

/** A row that runs Vitest on a project: files of {@link TESTS} tests, isolated. */
interface VitestRow {
  title: string
  target: number
  contestants: string[]
  /** Whether each test calls a model once. */
  calls: boolean
}

export const vitestRows: Record<string, VitestRow> = {
  'vitest-calls': {
    title: '`vitest run`, isolated files × 5 tests, one call each',
    target: 1.05,
    contestants: ['floor', 'vitest-cassette', 'msw-fetch', 'msw', 'llm-vcr'],
    calls: true,
  },
  'vitest-idle': {
    title: 'the same where no test calls a model, against an empty set-up file',
    target: 1.02,
    contestants: ['floor', 'vitest-cassette', 'msw-fetch', 'msw'],
    calls: false,
  },
}

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

/** The set-up file of each contestant. */
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
  'llm-vcr': '',
}

const CONFIG = `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { setupFiles: ['./setup.mjs'] } })
`

const PLUGIN_CONFIG = `import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [cassettes()] })
`

/** Writes a project with the recordings of a contestant. */
export async function prepareProject(
  folder: string,
  row: string,
  name: string,
  files: number,
): Promise<void> {
  const { calls } = vitestRows[row]!
  const project = join(folder, row, name)
  mkdirSync(project, { recursive: true })
  const write = (file: string, text: string): void => writeFileSync(join(project, file), text)
  write('package.json', '{ "type": "module" }')
  write('vitest.config.mjs', name === 'vitest-cassette' ? PLUGIN_CONFIG : CONFIG)
  write('setup.mjs', calls || name !== 'floor' ? (SETUPS[name] ?? '') : '')
  const answers = exchanges.map(({ prompt, answer }) => ({
    prompt: JSON.stringify(prompt),
    answer,
  }))
  write('answers.json', JSON.stringify(answers))
  for (let file = 0; file < files; file++) write(testFile(file), calls ? asking(name) : IDLE)
  if (name === 'vitest-cassette') await installPackage(project, calls ? files : 0)
  if (name === 'llm-vcr') llmVcr.prepare({ folder: project }, exchanges)
}

/** Copies the package as npm does: Vitest would transform a linked one. */
async function installPackage(project: string, files: number): Promise<void> {
  const target = join(project, 'node_modules/vitest-cassette')
  for (const entry of ['dist', 'package.json'])
    cpSync(join(root, entry), join(target, entry), { recursive: true })
  for (let file = 0; file < files; file++) {
    for (const [index, exchange] of exchanges.entries()) {
      const path = cassettePath({ file: testFile(file), titles: [`test ${index}`], ordinal: 0 })
      const url = `${PROVIDER}/chat/completions`
      await saveExchanges(join(project, '__recordings__'), path, url, [exchange])
    }
  }
}

/** Runs Vitest once, and measures the time of the whole process. */
export async function runVitest(
  folder: string,
  row: string,
  name: string,
  env: Record<string, string>,
): Promise<Measured> {
  const started = performance.now()
  const child = spawn(process.execPath, [vitest, 'run'], {
    cwd: join(folder, row, name),
    env,
    stdio: 'ignore',
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  const times = [performance.now() - started]
  return code === 0 ? { times } : { times, wrong: 'fails' }
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
function asking(name: string): string {
  const cases = exchanges.map(({ prompt, text }, index) => ({ index, prompt, text }))
  const vcr = name === 'llm-vcr'
  const call = vcr
    ? `await withCassette('cassette', () => ask(prompt), { mode: 'replay', config: { cassettesDir: '.' } })`
    : 'await ask(prompt)'
  return `import { expect, test } from 'vitest'
${vcr ? "import { withCassette } from 'llm-vcr'\n" : ''}
async function ask(prompt) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-0123456789abcdefghijklmnop' }
  const body = JSON.stringify(prompt)
  const response = await fetch('${PROVIDER}/chat/completions', { method: 'POST', headers, body })
  return (await response.json()).choices[0].message.content
}

test.for(${JSON.stringify(cases)})('test $index', async ({ prompt, text }) => {
  expect(${call}).toBe(text)
})
`
}
