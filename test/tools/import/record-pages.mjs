// Lets Playwright record the calls of a page into HAR files: `node record-pages.mjs <Chromium> <folder>`. Prints what
// the page was answered, each as base64.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chromium } from 'playwright'

const [, , executablePath, folder] = process.argv

const provider = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => answer(request.url, Buffer.concat(chunks).toString(), response))
})

const chunk = (content) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`

function answer(path, asked, response) {
  const said = JSON.stringify({
    choices: [{ message: { role: 'assistant', content: 'Hé “you”' } }],
  })
  const send = (type, body, packing) => {
    response.setHeader('content-type', type)
    if (packing) response.setHeader('content-encoding', packing)
    response.end(body)
  }
  if (path === '/') send('text/html', '<p>A page</p>')
  else if (path.endsWith('/speech')) send('audio/mpeg', Buffer.from([255, 251, 0, 1, 254]))
  else if (asked.includes('"stream":true'))
    send('text/event-stream', `${chunk('Hé “')}${chunk('你')}data: [DONE]\n\n`)
  else if (asked.includes('gzip')) send('application/json', gzipSync(said), 'gzip')
  else if (asked.includes('brotli')) send('application/json', brotliCompressSync(said), 'br')
  else send('application/json', said)
}

/** Runs in the page. */
async function ask() {
  const answers = []
  const post = async (path, body, headers = { 'content-type': 'application/json' }) => {
    const response = await fetch(path, { method: 'POST', headers, body })
    const bytes = new Uint8Array(await response.arrayBuffer())
    answers.push(btoa(String.fromCharCode(...bytes)))
  }
  const chat = (content, more = {}) =>
    post(
      '/v1/chat/completions',
      JSON.stringify({ model: 'gpt-x', messages: [{ role: 'user', content }], ...more }),
    )
  await chat('plain é')
  await chat('gzip')
  await chat('brotli')
  await chat('stream', { stream: true })
  await post('/v1/audio/speech', JSON.stringify({ model: 'tts-x', input: 'Hi' }))
  const form = new FormData()
  form.set('model', 'whisper-x')
  form.set('file', new Blob([new Uint8Array([0, 255])]), 'a.wav')
  await post('/v1/audio/transcriptions', form, {})
  return answers
}

await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
let answers
for (const mode of ['full', 'minimal'])
  for (const [content, name] of [
    ['attach', 'a.har'],
    ['embed', 'a.har'],
    ['omit', 'a.har'],
    ['attach', 'a.zip'],
  ]) {
    const recordHar = { path: join(folder, `${mode}-${content}`, name), mode, content }
    const context = await browser.newContext({ recordHar })
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${provider.address().port}/`)
    answers = await page.evaluate(ask)
    await context.close()
  }
await browser.close()
console.log(JSON.stringify(answers))
process.exit(0)
