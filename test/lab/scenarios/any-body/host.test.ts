import { spawn } from 'node:child_process'
import { Agent, request, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { clients } from './send.ts'

const { ECHO_URL: PLACE = '', NAME } = process.env

const PATHS = ['/v1/chat/completions', '/own/ask']

/** The host that a server of the same machine gets, or the name that is meant. */
function expectHost(answer: string, name: string = NAME ?? new URL(PLACE).host): void {
  expect(JSON.parse(answer)).toMatchObject({ host: name })
}

const headers = { 'content-type': 'application/json' }
const named = (name: string | undefined = NAME): Record<string, string> =>
  name === undefined ? headers : { ...headers, Host: name }

for (const path of PATHS) {
  // Its fetch leaves the header out.
  for (const client of ['fetch', 'child'])
    test(`${client} ${path}`, async () => {
      const sent = { url: PLACE + path, headers: named(), body: '{"inputs":"Hi"}' }
      expectHost(await clients[client]!(sent), new URL(PLACE).host)
    })

  for (const client of ['node:http', 'axios', 'got', 'undici'])
    test(`${client} ${path}`, async () => {
      const sent = { url: PLACE + path, headers: named(), body: '{"inputs":"Hi"}' }
      expectHost(await clients[client]!(sent))
    })

  test(`http2 ${path}`, async () => {
    const authority: Record<string, string> = NAME === undefined ? {} : { ':authority': NAME }
    const sent = {
      url: PLACE + path,
      headers: { ...headers, ...authority },
      body: '{"inputs":"Hi"}',
    }
    expectHost(await clients.http2!(sent))
  })

  test(`node:http without a body ${path}`, async () => {
    expectHost(await clients['node:http']!({ url: PLACE + path, method: 'GET', headers: named() }))
  })

  test(`node:http with a body of GET ${path}`, async () => {
    expectHost(
      await clients['node:http']!({
        url: PLACE + path,
        method: 'GET',
        headers: named(),
        body: '{"query":1}',
      }),
    )
  })

  test(`node:http in a child ${path}`, async () => {
    const program = `const { SENT } = process.env
      const { url, headers } = JSON.parse(SENT)
      require('http').request(url, { method: 'POST', headers }, (answer) =>
        answer.pipe(process.stdout)).end('{"inputs":"Hi"}')`
    const env = { ...process.env, SENT: JSON.stringify({ url: PLACE + path, headers: named() }) }
    const child = spawn(process.execPath, ['-e', program], { env })
    expectHost(await text(child.stdout))
  })

  test(`one connection for two hosts ${path}`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (options: RequestOptions): Promise<string> =>
      new Promise((resolve, reject) => {
        request(PLACE + path, { method: 'POST', agent, ...options }, (answer) =>
          resolve(text(answer)),
        )
          .on('error', reject)
          .end('{"inputs":"Hi"}')
      })
    for (const name of [NAME, 'model-x.example'])
      expectHost(await ask({ headers: named(name) }), name ?? new URL(PLACE).host)
    agent.destroy()
  })
}

test('a program by its base URL, and as its proxy', async ({ cassette }) => {
  const ask = async (...args: string[]): Promise<string> =>
    text(spawn('curl', ['-sS', '-d', '{"inputs":"Hi"}', ...args]).stdout)
  const host = NAME === undefined ? [] : ['-H', `Host: ${NAME}`]
  expectHost(await ask(...host, cassette.baseUrl(`${PLACE}/v1/chat/completions`)))
  expectHost(await ask(...host, `${PLACE}/v1/chat/completions`))
})
