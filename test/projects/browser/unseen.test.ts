import { expect, test } from 'vitest'
import { upstream } from './ask'

function script(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
}

test('asks by EventSource', async () => {
  const events = new EventSource('https://api.openai.com/v1/responses/resp_1?stream=true')
  await new Promise((resolve) => (events.onerror = resolve))
  events.close()
})

test('a worker asks by a socket', async () => {
  const address = `${upstream.replace('http', 'ws')}/realtime?model=gpt-realtime`
  const source = `const socket = new WebSocket('${address}'); socket.onopen = socket.onclose = () => postMessage('done')`
  const worker = new Worker(script(source))
  await new Promise((resolve) => (worker.onmessage = resolve))
})
