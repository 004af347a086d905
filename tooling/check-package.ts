// Packs the package and uses it in an empty project, as someone who installs it does.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLUGIN_CONFIG = `import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [cassettes({ unused: 'warn' })] })
`

const SETUP_CONFIG = `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { setupFiles: ['./setup.ts'] } })
`

const TEST = `import { expect, expectTypeOf, test } from 'vitest'
import { ConversationStore, type ConversationMetadata } from 'vitest-cassette/conversations'
import {
  configureCassettes,
  useCassette,
  type AskedExchange,
  type CassetteOptions,
  type TestCassette,
} from 'vitest-cassette'
const options: CassetteOptions = { repeats: 'last' }
configureCassettes({ repeats: options.repeats })
const below = useCassette({ unused: 'warn' })
// @ts-expect-error -- an option of the project
const wrong = () => useCassette({ dir: 'elsewhere' })
test('has the types of its cassette', ({ cassette, expect: ownExpect }) => {
  expectTypeOf(cassette).toEqualTypeOf<TestCassette>()
  expectTypeOf(cassette.exchanges).toEqualTypeOf<AskedExchange[]>()
  expectTypeOf(cassette.cost()).toEqualTypeOf<number | undefined>()
  expect(cassette).not.toHaveCalledTool('look_up', { id: expect.any(Number) })
  expect.soft(below).toHaveTakenAtMost({ calls: 0, tokens: 0, cents: 0 })
  ownExpect(cassette).not.toHaveAsked(/order/)
  expect(cassette).toHaveTurns(0)
  // @ts-expect-error -- no such limit
  const limit = () => expect(cassette).toHaveTakenAtMost({ dollars: 1 })
  expect(limit).toThrow(/not dollars/)
  // @ts-expect-error -- no cassette
  const elsewhere = () => expect(3).toHaveTurns(3)
  expect(elsewhere).toThrow(/looks at the cassette/)
  // @ts-expect-error -- users make no cassettes
  type Made = ConstructorParameters<typeof import('vitest-cassette').TestCassette>
  expect(wrong).toThrow(/no dir of its own/)
})
test('has the types of stored conversations', async () => {
  const store = new ConversationStore({ store: './store', workspace: '.' })
  const conversation = await store.startConversation({ model: 'gpt-5', systemPrompt: 'Be kind.' })
  await conversation.addUserMessage('Hello')
  await conversation.addAssistantMessage('Hi', { inputTokens: 3, outputTokens: 1 })
  await conversation.addToolMessage('look_up', 'call_1', { state: 'open' })
  expectTypeOf(conversation.metadata).toEqualTypeOf<ConversationMetadata>()
  expect(store.statistics(conversation.id)).toMatchObject({ turns: 1, totalTokens: 4 })
  // @ts-expect-error -- an answer takes tokens of both kinds
  await expect(conversation.addAssistantMessage('Hi', { inputTokens: 3 })).rejects.toThrow(/both numbers/)
})
test('greets', async () => {
  const response = await fetch('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(response.status).toBe(400)
})
`

const TSCONFIG = JSON.stringify({
  compilerOptions: { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'vitest-cassette-package-'))

try {
  run('npm', ['pack', '--pack-destination', project], root)
  const tarball = readdirSync(project).find((file) => file.endsWith('.tgz'))!
  checkTypes()
  run('publint', ['run', join(project, tarball)], root)
  // Not installed with the rest: it brings a TypeScript of its own.
  run('npx', ['--yes', '@arethetypeswrong/cli@0.18.5', tarball, '--profile', 'esm-only'])
  run('npm', ['publish', '--dry-run', join(project, tarball)], root)

  // Those between are for test/e2e/versions.test.ts and test/e2e/types.test.ts, at night.
  tryWith(tarball, 'vitest@5')
  // Old packages of which it needs no feature do not stop an installation.
  tryWith(tarball, 'vitest@3.2', 'sharp@0.32', '@playwright/test@1.40')
  console.log('The packed package works in an empty project.')
} finally {
  rmSync(project, { recursive: true, force: true })
}

function tryWith(tarball: string, ...beside: string[]): void {
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  const packages = [`./${tarball}`, ...beside, 'typescript@7']
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages])
  write('vitest.config.ts', PLUGIN_CONFIG)
  write('greeting.test.ts', TEST)
  write('tsconfig.json', TSCONFIG)
  run('npx', ['tsc'])
  expectOutput(
    ['vitest', 'run'],
    1,
    / 1 failed \| 2 passed [^]*Nothing is recorded for this test[^]*npx vitest-cassette record greeting\.test\.ts/,
  )
  write('vitest.config.ts', SETUP_CONFIG)
  write('setup.ts', "import 'vitest-cassette/setup'\n")
  expectOutput(['vitest', 'run'], 1, / 1 failed \| 2 passed [^]*Nothing is recorded for this test/)
}

/** Checks that `dist` has types only for the entries that users import, and for their shared chunks. */
function checkTypes(): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  const known = Object.values(exports).map((entry) => {
    const file = typeof entry === 'string' ? entry : entry.default
    return basename(file).replace('.mjs', '.d.mts')
  })
  const others = readdirSync(join(root, 'dist')).filter(
    (file) => file.endsWith('.d.mts') && !known.includes(file) && !/-[\w-]{8}\.d\.mts$/.test(file),
  )
  if (others.length > 0)
    throw new Error(`dist has types that nobody can import: ${others.join(', ')}`)
}

function write(file: string, text: string): void {
  writeFileSync(join(project, file), text)
}

function run(command: string, args: string[], cwd = project): void {
  console.log(`$ ${command} ${args.join(' ')}`)
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}

function expectOutput(args: string[], exitCode: number, pattern: RegExp): void {
  const { CI: _, GITHUB_ACTIONS: __, ...env } = process.env
  try {
    execFileSync('npx', args, {
      cwd: project,
      env: { ...env, NO_COLOR: '1' },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    const output = stdout + stderr
    if (status === exitCode && pattern.test(output)) return
    throw new Error(`npx ${args.join(' ')} ended with ${status} and printed:\n${output}`, {
      cause: error,
    })
  }
  throw new Error(`npx ${args.join(' ')} ended with 0.`)
}
