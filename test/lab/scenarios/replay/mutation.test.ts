import { expect, test } from 'vitest'
import { keep } from '../keep.ts'
import { oddOpenai } from './clients.ts'

let attempts = 0

test('a caller that mutates what it was given', { retry: 1 }, async () => {
  const messages = [{ role: 'user' as const, content: 'numbered' }]
  const first = await oddOpenai.chat.completions.create({ model: 'gpt-5', messages })
  expect(first.choices[0]!.message.content).toMatch(/^Odd: numbered \(\d+\)$/)
  first.choices[0]!.message.content = 'something else'
  const bytes = new Uint8Array(await (await askForBytes()).arrayBuffer())
  expect([...bytes]).toEqual([0xff, 0xfb, 0x90, 0x00, 0xc3, 0x28])
  bytes.fill(0)
  keep('attempts', ++attempts)
  expect(process.env.RECORD === '1' || attempts > 1, 'the first attempt fails').toBe(true)
})

function askForBytes(): Promise<Response> {
  return fetch(`${process.env.ODD_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.API_KEY}` },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'binary' }] }),
  })
}
