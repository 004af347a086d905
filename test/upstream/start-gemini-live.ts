import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** A server that speaks Gemini Live as Google does: on any path, and in frames of bytes. */
export interface GeminiLive {
  url: string
  stop(): Promise<void>
}

/** Starts it; aimock knows one path only, and sends its frames as text. */
export async function startGeminiLive(): Promise<GeminiLive> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) => {
    const say = (message: object): void => socket.send(Buffer.from(JSON.stringify(message)))
    socket.on('message', (data: Buffer) => {
      const { setup, clientContent } = JSON.parse(data.toString())
      if (setup) return say({ setupComplete: {} })
      const [{ text }] = clientContent.turns.at(-1).parts
      say({ serverContent: { modelTurn: { role: 'model', parts: [{ text: 'You said: ' }] } } })
      say({ serverContent: { modelTurn: { role: 'model', parts: [{ text }] } } })
      say({ serverContent: { turnComplete: true } })
    })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
