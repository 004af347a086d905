import { expect, test } from 'vitest'

const { UPSTREAM_URL, WORD = 'two' } = process.env
const BRIEF = { time: 50, warmupTime: 5 }

async function ask(question: string): Promise<string> {
  const response = await fetch(`${UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-of-nobody' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: question }] }),
  })
  if (!response.ok) throw new Error(`answered with ${response.status}`)
  return response.text()
}

test('one of its own', async ({ bench }) => {
  const calls: string[] = []
  const hooks = {
    beforeAll: () => void calls.push('before all'),
    beforeEach: () => void calls.push('before each'),
    afterEach: () => void calls.push('after each'),
    afterAll: () => void calls.push('after all'),
  }
  const result = await bench('asks', hooks, async () => {
    calls.push(await ask('one'), await ask('one'))
  }).run(BRIEF)
  expect(result.latency.samplesCount).toBeGreaterThan(0)
  expect(calls.slice(0, 3)).toEqual(['before all', 'before each', expect.stringContaining('id')])
  expect(calls.slice(-2)).toEqual(['after each', 'after all'])
})

test('two that are compared', async ({ bench }) => {
  await bench.compare(
    bench('asks one', async () => void (await ask('one'))),
    bench('asks another', async () => void (await ask(WORD))),
    BRIEF,
  )
})

test('one that asks nothing', async ({ bench }) => {
  await bench('counts', () => void Array.from({ length: 100 })).run(BRIEF)
})
