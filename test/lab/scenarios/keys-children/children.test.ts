// The SDKs run in threads and processes, which get their environment in every form.
import { execFile, execFileSync, execSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import cluster from 'node:cluster'
import { promisify } from 'node:util'
import { SHARE_ENV, Worker, type WorkerOptions } from 'node:worker_threads'
import { expect, test } from 'vitest'

const child = new URL('../keys/child.mjs', import.meta.url)
const { PATH, UPSTREAM_URL, HOME } = process.env
const { OPENAI_API_KEY = '' } = process.env.RECORD ? process.env : {}
const { OPENAI_API_KEY: _, ...without } = process.env

const environments: Record<string, WorkerOptions['env']> = {
  'its own': undefined,
  "that of the test's": process.env,
  'a copy': { ...process.env },
  'one without the key': without,
  'one with the key, if there is one': { ...without, OPENAI_API_KEY },
  'a few variables': { PATH, UPSTREAM_URL, HOME, OPENAI_API_KEY },
}

async function byThread(env: WorkerOptions['env'], ...words: string[]): Promise<unknown> {
  const worker = new Worker(child, { workerData: words, env })
  return (await once(worker, 'message'))[0]
}

test.for(Object.keys(environments))('a thread with %s', async (name) => {
  // A recording has only the key that it is given.
  const env =
    name === 'one without the key' && process.env.RECORD ? process.env : environments[name]
  expect(await byThread(env, name)).toBe(`You said: ${name}`)
})

test('a thread that shares the environment, and leaves it as it is', async () => {
  expect(await byThread(SHARE_ENV, 'Shared')).toBe('You said: Shared')
  const { environmentVariables } = process.report!.getReport() as unknown as {
    environmentVariables: NodeJS.ProcessEnv
  }
  if (!process.env.RECORD) expect(environmentVariables).not.toHaveProperty('OPENAI_API_KEY')
})

// Six programs start, one after the other.
test('a thread of a thread, and one of source text', { timeout: 30_000 }, async () => {
  expect(await byThread(undefined, 'thread', 'Nested')).toBe('You said: Nested')
  expect(await byThread(SHARE_ENV, 'thread', 'Shared, nested')).toBe('You said: Shared, nested')
  expect(await byThread(undefined, 'process', 'A process')).toBe('You said: A process')
  const source = `import(${JSON.stringify(child.href)})`
  const worker = new Worker(source, { eval: true, workerData: ['Source'] })
  expect((await once(worker, 'message'))[0]).toBe('You said: Source')
})

test.for(Object.keys(environments))('a process with %s', async (name) => {
  const env =
    name === 'one without the key' && process.env.RECORD ? process.env : environments[name]
  const { stdout } = await promisify(execFile)(process.execPath, [child.pathname, name], {
    env: env as NodeJS.ProcessEnv,
  })
  expect(stdout.trim()).toBe(`You said: ${name}`)
})

test('a fork, and a worker of a cluster', async () => {
  const forked = fork(child.pathname, ['Forked'])
  expect((await once(forked, 'message'))[0]).toBe('You said: Forked')
  cluster.setupPrimary({ exec: child.pathname, args: ['Clustered'] })
  expect((await once(cluster.fork(), 'message'))[0]).toBe('You said: Clustered')
})

test('a process for which this one waits', () => {
  const shown = 'console.log(process.env.OPENAI_API_KEY)'
  const command = [process.execPath, ['-e', shown]] as const
  const seen = [
    execFileSync(...command, { encoding: 'utf8' }),
    spawnSync(...command, { encoding: 'utf8', env: { PATH, OPENAI_API_KEY: 'sk-own' } }).stdout,
    execSync(`node -e '${shown}'`, { encoding: 'utf8', env: { PATH } }),
    execFileSync('sh', ['-c', 'echo $OPENAI_API_KEY'], { encoding: 'utf8' }),
  ].map((text) => text.trim())
  const lent = 'sk-replay-no-network'
  if (!process.env.RECORD) expect(seen).toEqual([lent, 'sk-own', lent, lent])
})
