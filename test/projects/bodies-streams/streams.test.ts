import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { ODD_URL, RESULTS } = process.env

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${ODD_URL}/v1` })

function stream(content: string, signal?: AbortSignal) {
  const messages = [{ role: 'user' as const, content }]
  return openai.chat.completions.create({ model: 'gpt-5', messages, stream: true }, { signal })
}

test('reads to the end', async () => {
  for await (const _ of await stream('slow 1'));
})

test('reads the beginning before there is an end', async () => {
  const pieces: unknown[] = []
  for await (const { choices } of await stream('held')) {
    pieces.push(choices[0]!.delta.content)
    // The provider holds the rest back until this is asked. In a replay there is none.
    if (pieces.length === 1) await fetch(`${ODD_URL}/go`).catch(() => {})
  }
  keep('held', pieces)
})

test('breaks out of the loop', async () => {
  for await (const chunk of await stream('slow 2')) {
    keep('first-chunk', chunk)
    break
  }
})

test('aborts in the middle', async () => {
  const controller = new AbortController()
  const pieces: unknown[] = []
  for await (const chunk of await stream('slow 3', controller.signal)) {
    pieces.push(chunk)
    controller.abort()
  }
  keep('aborted', pieces)
})

test('aborts before the answer', async () => {
  const controller = new AbortController()
  const answer = openai.chat.completions.create(
    { model: 'gpt-5', messages: [{ role: 'user', content: 'uneven 1 aborted' }] },
    { signal: controller.signal },
  )
  // Only while it is recorded is the answer 80 ms late.
  if (process.env.RECORD !== '1') return expect(await answer).toMatchObject({ id: 'odd-1' })
  void delay(30).then(() => controller.abort())
  await expect(answer).rejects.toThrow('aborted')
})

test.each(['cut', 'torn'])('a connection that breaks: %s', async (kind) => {
  const pieces: string[] = []
  let problem: unknown
  try {
    const response = await fetch(`${ODD_URL}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: kind }] }),
    })
    for await (const chunk of response.body!) pieces.push(Buffer.from(chunk).toString())
  } catch (error) {
    problem = (error as Error).message
  }
  keep(kind, { pieces, problem })
})

test('a connection that breaks under an SDK', async () => {
  const pieces: unknown[] = []
  await expect(async () => {
    for await (const chunk of await stream('cut sdk')) pieces.push(chunk)
  }).rejects.toThrow()
  keep('cut-sdk', pieces)
})

function keep(name: string, result: unknown): void {
  mkdirSync(RESULTS!, { recursive: true })
  writeFileSync(`${RESULTS}/${name}.json`, JSON.stringify(result, null, 2))
}
