import { spawn } from 'node:child_process'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { clients } from './send.ts'

const { ECHO_URL: SERVER, WORD = 'lamps' } = process.env

const BODY = JSON.stringify({ query: { match: { title: WORD } } })

const ASKED = Object.keys(clients).flatMap((client) =>
  ['GET', 'DELETE', 'OPTIONS'].map((method) => [client, method] as const),
)

test.each(
  ASKED.filter(
    ([client, method]) => method !== 'GET' || (client !== 'fetch' && client !== 'child'),
  ),
)('%s sends the body of a %s', async (client, method) => {
  const headers = { 'content-type': 'application/json', 'content-length': String(BODY.length) }
  const answer = await clients[client]!({ url: `${SERVER}/_search`, method, headers, body: BODY })
  expect(JSON.parse(answer)).toMatchObject({ method, body: BODY })
})

/** A request of `node:http` by a connection of its own, or one of the agent; its body is written by `write`. */
function ask(
  options: { method: string; agent?: Agent | false; headers?: Record<string, string> },
  write: (sent: ClientRequest) => unknown,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(`${SERVER}/_search`, options, resolve).on('error', reject)
    void write(sent)
  })
}

const LENGTH = { 'content-length': String(BODY.length) }

test('a connection of its own', async () => {
  const answer = await ask({ method: 'GET', agent: false, headers: LENGTH }, (sent) =>
    sent.end(BODY),
  )
  expect(JSON.parse(await text(answer))).toMatchObject({ method: 'GET', body: BODY })
})

test('a connection that is kept', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const method of ['GET', 'POST', 'GET', 'GET']) {
    const answer = await ask({ method, agent, headers: LENGTH }, (sent) => sent.end(BODY))
    expect(JSON.parse(await text(answer))).toMatchObject({ method, body: BODY })
  }
  agent.destroy()
})

test('in chunks', async () => {
  const answer = await ask(
    { method: 'GET', agent: false, headers: { 'transfer-encoding': 'chunked' } },
    async (sent) => {
      sent.write(BODY.slice(0, 9))
      await setTimeout(50)
      sent.end(BODY.slice(9))
    },
  )
  expect(JSON.parse(await text(answer))).toMatchObject({ method: 'GET', body: BODY })
})

test('by HEAD', async () => {
  const answer = await ask({ method: 'HEAD', agent: false, headers: LENGTH }, (sent) =>
    sent.end(BODY),
  )
  expect(answer.statusCode).toBe(200)
})

test('by node:http in a child', async () => {
  const program = `const { ECHO_URL: SERVER, BODY } = process.env
    const headers = { 'content-length': BODY.length }
    require('http').request(SERVER + '/_search', { method: 'GET', headers }, (answer) =>
      answer.pipe(process.stdout)).end(BODY)`
  const child = spawn(process.execPath, ['-e', program], { env: { ...process.env, BODY } })
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ method: 'GET', body: BODY })
})
