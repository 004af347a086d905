import { test } from 'vitest'
import { upstream } from './ask'

test('asks by EventSource', async () => {
  const events = new EventSource('https://api.openai.com/v1/responses/resp_1?stream=true')
  await new Promise((resolve) => (events.onerror = resolve))
  events.close()
})

const address = `${upstream.replace('http', 'ws')}/realtime?model=gpt-realtime`
const opens = (tell: string): string =>
  `{ try {
      const socket = new WebSocket('${address}')
      socket.onopen = socket.onclose = () => ${tell}('opened')
    } catch (error) { ${tell}(String(error)) } }`

function script(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
}

for (const [name, start] of Object.entries({
  'a worker': () => new Worker(script(opens('postMessage'))),
  'a strict worker': () => new Worker(script(`'use strict'; ${opens('postMessage')}`)),
  'a module': () => new Worker(script(`${opens('postMessage')}; export {}`), { type: 'module' }),
  'a worker of data': () =>
    new Worker(`data:text/javascript,${encodeURIComponent(opens('postMessage'))}`),
  'a worker of a worker': () =>
    new Worker(
      script(`const inner = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(opens('postMessage'))}])))
        inner.onmessage = ({ data }) => postMessage(data)`),
    ),
  'a worker of a server': () => {
    const worker = new Worker('/socket-worker.js')
    worker.postMessage(address)
    return worker
  },
  'a module of a server': () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.postMessage(address)
    return worker
  },
  'a shared worker': () =>
    new SharedWorker(script(`onconnect = ({ ports: [port] }) => ${opens('port.postMessage')}`))
      .port,
}))
  test(`${name} opens a socket`, async () => {
    const port = start()
    await new Promise((resolve) => (port.onmessage = resolve))
  })
