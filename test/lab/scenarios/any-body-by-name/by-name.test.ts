import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { clients } from '../any-body/send.ts'

const { ECHO_URL: SERVER, WORD = 'Hi' } = process.env

// A connection to an address that nobody listed, which leads to a provider by its name.
const NAME = 'api.openai.com'
const body = JSON.stringify({ inputs: WORD })
const headers = { 'content-type': 'application/json' }

for (const client of ['node:http', 'axios', 'got', 'undici', 'http2'])
  test(client, async () => {
    const named: Record<string, string> =
      client === 'http2' ? { ':authority': NAME } : { Host: NAME }
    const sent = { url: `${SERVER}/own/ask`, headers: { ...headers, ...named }, body }
    expect(JSON.parse(await clients[client]!(sent))).toMatchObject({ host: NAME, body })
  })

test('http2 in a child', async () => {
  const program = `const { ECHO_URL: SERVER, NAME, BODY } = process.env
    const session = require('http2').connect(SERVER)
    const stream = session.request({ ':method': 'POST', ':path': '/own/ask', ':authority': NAME })
    stream.on('close', () => session.destroy()).end(BODY)
    stream.pipe(process.stdout)`
  const env = { ...process.env, NAME, BODY: body }
  const child = spawn(process.execPath, ['-e', program], { env })
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ host: NAME, body })
})
