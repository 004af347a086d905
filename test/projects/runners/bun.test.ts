import { request } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fetch as fetchOfUndici } from 'undici'
import { ask, summarize } from './app.mjs'

const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
const body = (content: string) =>
  JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })

let tries = 0

beforeAll(async () => {
  expect(await ask('before all')).toBeString()
})

beforeEach(() => ask('before each'))

test('asks', async () => {
  expect(await ask('one')).toBeString()
})

test('has a fallback', async () => {
  expect(await summarize('a report')).toBeString()
})

test.each([
  [1, 'one'],
  [2, 'two'],
])('asks of %i and %s', (number) => ask(`row ${number}`))
test.each([1, 2])('asks by one name', (number) => ask(`row ${number}`))

describe('a suite', () => {
  test.concurrent.each([1, 2, 3])('concurrent %i', async (number) => {
    await ask('the same of all')
    await ask(`of ${number} alone`)
  })
  test('asks', () => ask('in the suite'))
})

test(
  'is tried again',
  async () => {
    await ask('again')
    expect(++tries).toBe(2)
  },
  { retry: 1 },
)

test.failing('fails as expected', async () => {
  await summarize('what is not there')
  throw new Error('as expected')
})

test('calls back', (done) => {
  ask('with a callback').then(() => done(), done)
})

test('asks by node:http', (done) => {
  const sent = request(url, { method: 'POST' }, (response) => {
    expect(response.statusCode).toBe(200)
    response.resume().on('end', done)
  })
  sent.end(body('by http'))
})

for (const [name, fetch] of Object.entries({ undici: fetchOfUndici, 'Bun.fetch': Bun.fetch }))
  test(`asks by ${name}`, async () => {
    const response = await fetch(url, { method: 'POST', body: body(`by ${name}`) })
    expect(response.status).toBe(200)
    await response.text()
  })

test('asks by programs', async () => {
  for (const program of [process.execPath, 'node']) {
    const child = Bun.spawn([program, 'asks-of.mjs', program === 'node' ? 'Node' : 'Bun'])
    expect(await new Response(child.stdout).text()).toBe('answered\n')
  }
  expect(await Bun.$`node asks-of.mjs shell`.text()).toBe('answered\n')
})

test.skip('is left out', () => ask('never'))
test.todo('is not written yet')
