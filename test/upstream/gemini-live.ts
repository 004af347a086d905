import type { Server } from 'node:http'
import { WebSocketServer } from 'ws'

/** Speaks Gemini Live as Google does, in frames of bytes; aimock knows one path only, and sends its frames as text. */
export function answerGeminiLive(server: Server): void {
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
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
}
