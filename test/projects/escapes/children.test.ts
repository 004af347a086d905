// Each of these starts Node in a way that could lose the guard, or asks an LLM of a host that nobody listed.
import { execFileSync, execSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { test } from 'vitest'

const { HOST, GATEWAY } = process.env as Record<string, string>
const child = fileURLToPath(new URL('./child.mjs', import.meta.url))
const model = new URL('./ask-model.mjs', import.meta.url)

test('child process, options undefined', () => {
  spawnSync(process.execPath, [child, HOST], undefined)
})

test('child process, NODE_OPTIONS set by the command', () => {
  execSync(`NODE_OPTIONS=--no-warnings node ${child} ${HOST}`)
})

test('child process, NODE_OPTIONS unset by the command', () => {
  execSync(`unset NODE_OPTIONS; node ${child} ${HOST}`)
})

test('child process, environment dropped by the command', () => {
  execSync(`env -i PATH="$PATH" node ${child} ${HOST}`)
})

test('child process, environment dropped with the PATH', () => {
  try {
    execSync(`env -i ${process.execPath} ${child} ${HOST}`)
  } catch {}
})

test('npm script that sets NODE_OPTIONS', () => {
  execSync('npm run --silent ask', { stdio: 'ignore' })
})

test('child process that becomes another', () => {
  const become = `process.execve(process.execPath, ['node', ${JSON.stringify(child)}, ${JSON.stringify(HOST)}], {})`
  execFileSync(process.execPath, ['-e', become], { stdio: 'ignore' })
})

test('LLM call of a child process on another host', () => {
  execFileSync(process.execPath, [model.pathname, GATEWAY], { stdio: 'ignore' })
})

test('LLM call of a worker thread on another host', () =>
  once(new Worker(model, { argv: [GATEWAY] }), 'exit'))

test('LLM call of a child process on another host, over HTTP/2', () => {
  execFileSync(process.execPath, [model.pathname, GATEWAY, 'h2'], { stdio: 'ignore' })
})
