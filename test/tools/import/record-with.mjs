// Lets another tool record the calls of a small application: `node record-with.mjs <nock|undici|aimock> <file or folder>`.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

const CHUNK = { object: 'chat.completion.chunk', id: 'x', created: 1, model: 'gpt-4o' }

const provider = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => answer(request.url, Buffer.concat(chunks).toString(), response))
})

function answer(path, asked, response) {
  response.setHeader('content-type', 'application/json')
  if (path.startsWith('/packed')) {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync('{"packed": true}'))
  } else if (path.startsWith('/binary')) response.end(Buffer.from([0, 255, 254, 1]))
  else if (path.startsWith('/stream') || asked.includes('"stream":true')) {
    response.setHeader('content-type', 'text/event-stream')
    for (const content of ['Hel', 'lo'])
      response.write(
        `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { content } }] })}\n\n`,
      )
    response.end('data: [DONE]\n\n')
  } else response.end('{"ok": 1.0}')
}

await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${provider.address().port}`

async function makeCalls(send) {
  for (const path of ['/json?a=%20b', '/packed', '/stream', '/binary'])
    await post(send, base + path, JSON.stringify({ path, n: 1 }))
  await post(send, `${base}/json`, Buffer.from([255, 254, 253, 0]))
  await (await send(`${base}/json`)).arrayBuffer()
}

async function post(send, url, body) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer nobody' }
  await (await send(url, { method: 'POST', headers, body })).arrayBuffer()
}

const TOOLS = {
  async nock(file) {
    const { default: nock } = await import('nock')
    nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: true })
    await makeCalls(fetch)
    writeFileSync(file, JSON.stringify(nock.recorder.play()))
  },
  async undici(file) {
    const { SnapshotAgent, fetch: send, setGlobalDispatcher } = await import('undici')
    const agent = new SnapshotAgent({ mode: 'record', snapshotPath: file })
    setGlobalDispatcher(agent)
    await makeCalls(send)
    await agent.saveSnapshots()
  },
  async aimock(folder) {
    const { LLMock } = await import('@copilotkit/aimock')
    const mock = new LLMock({
      port: 0,
      record: { providers: { openai: base }, fixturePath: folder },
    })
    const url = await mock.start()
    const messages = [{ role: 'user', content: 'Hello?' }]
    await post(
      fetch,
      `${url}/v1/chat/completions`,
      JSON.stringify({ model: 'gpt-4o', stream: true, messages }),
    )
    await mock.stop()
  },
}

const [, , tool, target] = process.argv
await TOOLS[tool](target)
process.exit(0)
