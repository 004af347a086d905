// Programs that ask a model on this machine at an address of their own.
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const { CHANGED = '', MODEL_AT = 'http://127.0.0.1:11434' } = process.env
const run = promisify(execFile)

const URLLIB = `import sys, urllib.request
print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], sys.argv[2].encode())).read().decode())`

const ways: Array<[name: string, file: string, script: string]> = [
  ['curl', 'curl', ''],
  ['urllib', 'python3', URLLIB],
]

function command(
  [, file, script]: (typeof ways)[0],
  url: string,
  body: string,
): [file: string, args: string[]] {
  return [file, file === 'curl' ? ['-s', '-d', body, url] : ['-c', script, url, body]]
}

function promptOf(name: string): string {
  const messages = [{ role: 'user', content: `By ${name}${CHANGED}` }]
  return JSON.stringify({ model: 'gpt-5', messages })
}

test.for(ways)('%s asks a model here, and nobody sees its error', async (way) => {
  const url = `${MODEL_AT}/v1/chat/completions`
  await run(...command(way, url, promptOf(way[0]))).catch(() => {})
})

test.for(ways)('%s asks a server of the test', async (way) => {
  const server = createServer(async (request, response) => {
    for await (const chunk of request) response.write(`${chunk} at ${request.url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { stdout } = await run(...command(way, `http://127.0.0.1:${port}/echo?a=1`, 'Hello'))
  server.close()
  expect(stdout.trim()).toBe('Hello at /echo?a=1')
})

test.runIf(process.env.WAITED).for(ways)('%s is waited for', (way) => {
  try {
    execFileSync(...command(way, `${MODEL_AT}/v1/chat/completions`, promptOf(way[0])))
  } catch {}
})
