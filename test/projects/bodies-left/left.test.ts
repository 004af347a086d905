import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clients } from './clients.ts'

const realtime = `${process.env.ODD_URL!.replace('http', 'ws')}/v1/realtime`

const ask = (text: string): Promise<Response> => clients.fetch!(text) as Promise<Response>

test.concurrent('leaves its reader behind', async () => {
  const reader = (await ask('endless reader')).body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toContain('on ')
})

test.concurrent('leaves a pipe behind that is full', async () => {
  const piped = (await ask('endless pipe')).body!.pipeThrough(new TransformStream())
  expect(piped.locked).toBe(false)
})

test.concurrent('leaves a loop behind that reads on', async () => {
  const { body } = await ask('endless loop')
  void (async () => {
    for await (const _ of body!);
  })()
})

test.concurrent('leaves a stream behind that went quiet', async () => {
  const reader = (await ask('stuck')).body!.getReader()
  await reader.read()
  void reader.read()
})

test.concurrent.each(Object.keys(clients))('never reads the body of %s', async (name) => {
  await clients[name]!(`endless ${name}`)
})

test.concurrent.each(Object.keys(clients))('gets no response by %s', async (name) => {
  void clients[name]!(`mute ${name}`)
})

/** A socket that nothing refers to can be collected, and closes then. */
const open: WebSocket[] = []

test.concurrent('leaves a socket open that sends on', async () => {
  const socket = new WebSocket(realtime)
  open.push(socket)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'response.create', response: { instructions: 'endless' } }))
  await once(socket, 'message')
})

test.concurrent('opens a socket that is not answered', async () => {
  open.push(new WebSocket(`${realtime}?model=mute`))
})
