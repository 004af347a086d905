import * as children from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { SHARE_ENV, Worker, type WorkerOptions } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { patchStarts } from '../../../../src/transports/intercept/guard/patch-starts.ts'
import type { GuardPolicy } from '../../../../src/transports/intercept/guard/guard-policy.ts'
import { withShim } from '../../../../src/transports/intercept/guard/guard-folder.ts'
import { childGuard } from '../../../../src/transports/intercept/guard/guarded-start.ts'
import { expectGolden } from '../../../golden.ts'

const node = process.execPath
const { execve: ownExecve } = process
const execve = vi.fn()
let folder: string
/** Prints whether a guard was loaded before it. */
let program: string
let policy: GuardPolicy | undefined
let shim: string
let end: () => void

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'guard children ')))
  const file = write('guard.cjs', 'globalThis.guarded = process.env.VITEST_CASSETTE_GUARD ?? "yes"')
  program = write('program.cjs', 'process.stdout.write(globalThis.guarded ? "guarded" : "free")')
  policy = withShim({ file, hosts: [], allowHosts: [] })
  shim = policy.folder!
  // Node is found where it is found by people: by its name.
  process.env.PATH = `${dirname(node)}:${process.env.PATH}`
  process.execve = execve as never
  const guard = childGuard({ policy: () => policy, refuse: (text) => new Refused(text) })
  end = patchStarts(() => guard)
})

afterAll(() => {
  end()
  process.execve = ownExecve
  for (const path of [folder, shim]) rmSync(path, { recursive: true })
})

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o755)
  return join(folder, name)
}

class Refused extends Error {}

/** Options as people have them; each is read by Node in its own way. */
const OPTIONS: Record<string, object | null | undefined> = {
  absent: undefined,
  none: null,
  'an environment of its own': { env: { PATH: process.env.PATH } },
  'no environment at all': { env: {} },
  'a frozen environment': Object.freeze({ env: Object.freeze({ NODE_OPTIONS: '' }) }),
  'an environment behind a getter': Object.defineProperty({}, 'env', {
    get: () => ({ NODE_OPTIONS: '--no-warnings' }),
    enumerable: true,
  }),
  'an inherited environment': Object.create({ env: { NODE_OPTIONS: '' } }) as object,
}

test.each(Object.entries(OPTIONS))(
  'a child is guarded, started with options: %s',
  async (_, given) => {
    const options = given as never
    const { execFileSync, execFile, spawnSync, fork } = children
    const told: unknown[] = [
      execFileSync(node, [program], options),
      await outputOf(execFile(node, [program], options, undefined)),
    ]
    // These take no null.
    if (given !== null) {
      const { env } = { env: process.env, ...(given as object) }
      told.push(spawnSync(node, [program], options).stdout)
      told.push(await outputOf(fork(program, undefined, { env, execArgv: [], silent: true })))
    }
    expect(new Set(told.map(String))).toEqual(new Set(['guarded']))
  },
)

test('a start whose options were left out is guarded, with a callback or without', async () => {
  const script = write('alone.cjs', `#!/usr/bin/env node\nrequire(${JSON.stringify(program)})`)
  const { spawnSync, execFileSync, execSync, spawn, execFile, exec } = children
  const told = [
    spawnSync(script).stdout,
    spawnSync(node, [program], ...([undefined, undefined] as unknown as [])).stdout,
    execFileSync(script),
    execSync(`"${script}"`),
    await outputOf(spawn(script)),
    await outputOf(spawn(`"${script}"`, { shell: true })),
    await new Promise((resolve) => execFile(script, (_, text) => resolve(text))),
    await new Promise((resolve) => exec(`"${script}"`, (_, text) => resolve(text))),
    (await promisify(execFile)(script)).stdout,
    (await promisify(exec)(`"${script}"`)).stdout,
  ]
  expect(new Set(told.map(String))).toEqual(new Set(['guarded']))
})

test('a process that becomes another keeps the guard', () => {
  process.execve!(node, [node, program], { NODE_OPTIONS: '--no-warnings' })
  expect(execve).toHaveBeenCalledExactlyOnceWith(node, [node, program], {
    NODE_OPTIONS: `--no-warnings --require ${JSON.stringify(policy!.file)}`,
    VITEST_CASSETTE_GUARD: JSON.stringify(policy),
    PATH: expect.stringContaining(shim),
  })
})

test.each([
  ['NODE_OPTIONS="--no-warnings" node "$P"'],
  ['NODE_OPTIONS= node "$P"'],
  ['unset NODE_OPTIONS; node "$P"'],
  ['unset NODE_OPTIONS VITEST_CASSETTE_GUARD; node "$P"'],
  ['export NODE_OPTIONS=--no-warnings && exec node "$P"'],
  ['env -u NODE_OPTIONS node "$P"'],
  ['env -i P="$P" PATH="$PATH" node "$P"'],
  ['env -i P="$P" PATH="$PATH" sh -c \'node "$P"\''],
  ['sh ./drops.sh'],
  ['./shebang.cjs'],
  ['NODE_OPTIONS= ./shebang.cjs'],
  ['npm run --silent drops'],
  ['NODE_OPTIONS="$NODE_OPTIONS --no-warnings" "$N" "$P"'],
])('a command that drops the guard from the environment keeps it: %s', (command) => {
  write('drops.sh', 'NODE_OPTIONS= node "$P"')
  write('shebang.cjs', `#!/usr/bin/env node\nrequire(${JSON.stringify(program)})`)
  write(
    'package.json',
    JSON.stringify({ scripts: { drops: 'NODE_OPTIONS=--no-warnings node "$P"' } }),
  )
  const env = { ...process.env, P: program, N: node }
  expect(children.execSync(command, { cwd: folder, env }).toString()).toBe('guarded')
})

test.each([
  ['NODE_OPTIONS= "$NODE" x.js'],
  ['NODE_OPTIONS=--no-warnings /usr/local/bin/node x.js'],
  ['unset NODE_OPTIONS; /usr/bin/node x.js'],
  ['env -u NODE_OPTIONS /usr/bin/node x.js'],
  ['env -i node x.js'],
  ['env - node x.js'],
  ['env --ignore-environment /usr/bin/node x.js'],
  ['env -i PATH=/usr/bin npx tsx x.ts'],
  ['env -i A=1 ./cli.mjs'],
  ['PATH=/usr/bin NODE_OPTIONS= node x.js'],
  ['PATH=/usr/bin:$PATH NODE_OPTIONS= node x.js'],
])('a command that no guard can follow is not started, and says why: %s', (command) => {
  expect(() => children.execSync(command)).toThrow(Refused)
  expect(() => children.execSync(command)).toThrow(command)
  expect(() => children.exec(command)).toThrow(Refused)
  const [file, ...args] = command.split(' ')
  if (file === 'env') expect(() => children.spawnSync(file, args)).toThrow(Refused)
})

test('a refused command is told with what to do', async () => {
  let said = ''
  try {
    children.spawnSync('env', ['-i', 'node', 'x.js'])
  } catch (error) {
    said = (error as Refused).message
  }
  await expectGolden(said, 'refused-command')
})

test.each([
  'env -i true',
  'env -i sh -c true',
  'env -i A=node true',
  'unset NODE_OPTIONS; true',
  'echo NODE_OPTIONS /usr/bin/node',
  'git --version',
])('what starts no Node is left alone: %s', (command) => {
  expect(children.spawnSync('sh', ['-c', command]).status).toBe(0)
})

test.each<[string, string, WorkerOptions]>([
  ['with nothing', 'file', {}],
  ['with an empty environment', 'file', { env: {} }],
  ['with a shared environment', 'file', { env: SHARE_ENV }],
  ['with arguments of its own for Node', 'file', { execArgv: [] }],
  ['from a text', 'eval', { eval: true, env: {}, execArgv: [] }],
  ['with frozen options', 'file', Object.freeze({ execArgv: Object.freeze([]) as never })],
  ['with inherited options', 'file', Object.create({ env: {}, execArgv: [] }) as WorkerOptions],
])('a thread is guarded, started %s', async (_, kind, options) => {
  const tell = `require('node:worker_threads').parentPort.postMessage(globalThis.guarded ? 'guarded' : 'free')`
  const worker = new Worker(kind === 'eval' ? tell : write('thread.cjs', tell), options)
  const told = await new Promise((resolve, reject) =>
    worker.on('message', resolve).on('error', reject),
  )
  expect(told).toBe('guarded')
})

test('where nothing is guarded, a child has neither the variable nor another PATH', () => {
  const kept = policy
  policy = undefined
  const text =
    'process.stdout.write(JSON.stringify([process.env.VITEST_CASSETTE_GUARD ?? "", process.env.PATH]))'
  const told = execFileSync(node, ['-e', text]).toString()
  policy = kept
  expect(JSON.parse(told)).toEqual(['', process.env.PATH])
})

function outputOf(child: children.ChildProcess): Promise<string> {
  let text = ''
  child.stdout!.on('data', (chunk) => (text += chunk))
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', () => resolve(text)),
  )
}
