import { test } from 'vitest'
import WebSocket from 'ws'
import { Conversation } from './realtime.ts'

const url = `${process.env.UPSTREAM_URL!.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`
const classes = { 'the ws package': WebSocket, 'globalThis.WebSocket': globalThis.WebSocket }

for (const [name, Socket] of Object.entries(classes))
  test.runIf(process.env.CHANGED === '1')(`nobody recorded ${name}`, async () => {
    const conversation = new Conversation(new Socket(url))
    await conversation.until('session.created')
    await conversation.say('Hello')
  })
