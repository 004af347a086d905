import { GoogleGenAI, type LiveServerMessage } from '@google/genai'
import { expect, test } from 'vitest'

test('Gemini Live', async () => {
  const ai = new GoogleGenAI({
    apiKey: 'secret-gemini-key',
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: process.env.FRONT_URL! },
  })
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const session = await ai.live.connect({
    model: 'gemini-2.5-flash',
    callbacks: {
      onmessage({ serverContent }: LiveServerMessage) {
        for (const part of serverContent?.modelTurn?.parts ?? []) text += part.text ?? ''
        if (serverContent?.turnComplete) resolve()
      },
      onerror: ({ message }) => reject(new Error(message)),
      onclose: ({ reason }) => reject(new Error(`closed: ${reason}`)),
    },
  })
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'Hello' }] }] })
  await promise
  expect(text).toBe('You said: Hello')
})
