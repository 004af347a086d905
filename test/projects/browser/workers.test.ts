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

test('a worker asks', async () => {
  const worker = new Worker(script(`${source(`${word} from a worker`)}.then(postMessage)`))
  expect(await heard(worker)).toBe(`You said: ${word} from a worker`)
})

test('a worker of a file asks', async () => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.postMessage([url, question('From a file')])
  expect(await heard(worker)).toBe('You said: From a file')
})

test('a worker of a worker asks', async () => {
  const inner = `${source('From within')}.then(postMessage)`
  const outer = `
    const inner = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inner)}])))
    inner.onmessage = ({ data }) => postMessage(data)`
  expect(await heard(new Worker(script(outer)))).toBe('You said: From within')
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
