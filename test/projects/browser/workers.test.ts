import { expect, test } from 'vitest'
import { question, upstream, word } from './ask'

const url = `${upstream}/chat/completions`

function source(content: string): string {
  return `fetch('${url}', ${JSON.stringify(question(content))})
    .then((response) => response.json())
    .then(({ choices }) => choices[0].message.content)
    .catch(String)`
}

function script(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
}

function heard(port: Worker | MessagePort): Promise<unknown> {
  return new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)))
}

function within(text: string): string {
  return `const inner = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}])))
    inner.onmessage = ({ data }) => postMessage(data)`
}

test('a worker asks', async () => {
  const worker = new Worker(script(`${source(`${word} from a worker`)}.then(postMessage)`))
  expect(await heard(worker)).toBe(`You said: ${word} from a worker`)
})

test('a worker of a file asks', async () => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.postMessage([url, question('From a file')])
  expect(await heard(worker)).toBe('You said: From a file')
})

test('workers of workers ask, several at the same time', async () => {
  const said = [1, 2, 3, 4, 5, 6].map((number) => {
    const inner = within(`${source(`From within ${number}`)}.then(postMessage)`)
    return heard(new Worker(script(number > 3 ? within(inner) : inner)))
  })
  expect(await Promise.all(said)).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `You said: From within ${n}`),
  )
})

test('shared workers ask', async () => {
  const asks = (content: string): string =>
    `onconnect = ({ ports: [port] }) => ${source(content)}.then((said) => port.postMessage(said))`
  expect(await heard(new SharedWorker(script(asks('Shared'))).port)).toBe('You said: Shared')
})

test('frames of other origins ask, and frames in them', async () => {
  const said: string[] = []
  Object.assign(window.top!, { said })
  const asks = (content: string): string =>
    `<script>${source(content)}.then((text) => top.postMessage(text, '*'))</script>`
  window.top!.addEventListener('message', ({ data }) => {
    if (String(data).startsWith('You said')) said.push(data)
  })
  const escape = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  frame.srcdoc = `${asks('Sandboxed')}<iframe srcdoc="${escape(asks('Sandboxed within'))}"></iframe>`
  document.body.append(frame)
  await expect
    .poll(() => said.toSorted(), { timeout: 10_000 })
    .toEqual(['You said: Sandboxed', 'You said: Sandboxed within'])
})

test('a worker asks by XMLHttpRequest', async () => {
  const worker = new Worker(
    script(`const request = new XMLHttpRequest()
      request.open('POST', '${url}', false)
      request.send(${JSON.stringify(question('By XHR').body)})
      postMessage(JSON.parse(request.responseText).choices[0].message.content)`),
  )
  expect(await heard(worker)).toBe('You said: By XHR')
})

test('a service worker asks', async () => {
  await navigator.serviceWorker.register('/service-worker.js')
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  active!.postMessage([url, question('In service')], [port2])
  expect(await heard(port1)).toBe('You said: In service')
})
