import { beforeAll, describe, expect, test } from 'vitest'
import { ask, question, upstream, word } from './ask'

let known: string
beforeAll(async () => {
  known = await ask('In a hook')
})

test('asks by fetch', async () => {
  expect(known).toBe('You said: In a hook')
  expect(await ask(`${word} Ada`)).toBe(`You said: ${word} Ada`)
})

test('reads a stream as it comes', async () => {
  const response = await fetch(
    new Request(`${upstream}/chat/completions`, question('Stream', true)),
  )
  expect(response.url).toBe(`${upstream}/chat/completions`)
  const text = await response.text()
  expect(text.split('data: ').length).toBeGreaterThan(3)
})

test('asks by XMLHttpRequest', async () => {
  const request = new XMLHttpRequest()
  request.open('POST', `${upstream}/chat/completions`)
  const done = new Promise((resolve) => (request.onloadend = resolve))
  request.send(question('By XHR').body as string)
  await done
  expect(request.responseText).toContain('You said: By XHR')
})

test('talks over a socket', async () => {
  const socket = new WebSocket(`${upstream.replace('http', 'ws')}/realtime?model=gpt-realtime`)
  const done = new Promise((resolve) => {
    socket.onmessage = ({ data }) => data.includes('response.done') && resolve(data)
    socket.onclose = socket.onerror = () => resolve('closed')
  })
  socket.onopen = () => {
    const content = [{ type: 'input_text', text: 'Over a socket' }]
    const item = { type: 'message', role: 'user', content }
    socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
    socket.send(JSON.stringify({ type: 'response.create' }))
  }
  expect(await done).toContain('You said: Over a socket')
  socket.close()
})

test('asks from frames', async () => {
  const said: string[] = []
  Object.assign(window.top!, { said })
  const script = (content: string): string =>
    `fetch('${upstream}/chat/completions', ${JSON.stringify(question(content))})
      .then((response) => response.json())
      .then(({ choices }) => top.said.push(choices[0].message.content))`
  const add = async (content: string, page: Document): Promise<Document> => {
    const frame = page.createElement('iframe')
    frame.srcdoc = `<script>${script(content)}</script>`
    const loaded = new Promise((resolve) => (frame.onload = resolve))
    page.body.append(frame)
    await loaded
    return frame.contentDocument!
  }
  await add('In a frame in it', await add('In a frame', document))
  await expect.poll(() => said.length, { timeout: 10_000 }).toBe(2)
  const empty = document.body.appendChild(document.createElement('iframe'))
  const response = await empty.contentWindow!.fetch(
    new Request(`${upstream}/chat/completions`, question('By a frame')),
  )
  said.push((await response.json()).choices[0].message.content)
  expect(said.toSorted()).toEqual([
    'You said: By a frame',
    'You said: In a frame',
    'You said: In a frame in it',
  ])
})

test('asks by a beacon', async () => {
  const body = new Blob([question('By a beacon').body as string])
  expect(navigator.sendBeacon(`${upstream}/chat/completions`, body)).toBe(true)
  await ask('And by fetch')
})

test.fails('is not done yet', async () => {
  expect(await ask(`${word} later`)).toBe('Done')
})

test('asks nothing', () => {
  expect(document.title).toBeDefined()
})

describe.concurrent('at the same time', () => {
  for (const name of ['Bob', 'Cleo'])
    test(`greets ${name}`, async ({ cassette }) => {
      const to = cassette.baseUrl(upstream)
      expect(await ask(`I am ${name}`, to)).toBe(`You said: I am ${name}`)
    })
})
