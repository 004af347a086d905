const { ask, summarize } = require('./app.cjs')

let tries = 0

beforeAll(async () => {
  expect(typeof (await ask('before all'))).toBe('string')
})

beforeEach(() => ask('before each'))

test('asks', async () => {
  expect(typeof (await ask('one'))).toBe('string')
})

test('has a fallback', async () => {
  expect(typeof (await summarize('a report'))).toBe('string')
})

test.each([1, 2])('asks of %i', (number) => ask(`row ${number}`))
test.each([1, 2])('asks by one name', (number) => ask(`row ${number}`))

describe('a suite', () => {
  test.concurrent.each([1, 2, 3])('concurrent %i', async (number) => {
    await ask('the same of all')
    await ask(`of ${number} alone`)
  })
  test('asks', () => ask('in the suite'))
})

describe('tried again', () => {
  jest.retryTimes(1)
  test('is tried again', async () => {
    await ask('again')
    expect(++tries).toBe(2)
  })
})

test.failing('fails as expected', async () => {
  await summarize('what is not there')
  throw new Error('as expected')
})

test('calls back', (done) => {
  ask('with a callback').then(() => done(), done)
})

test('stops the clock', async () => {
  jest.useFakeTimers()
  await ask('with fake timers')
  jest.useRealTimers()
})

test('asks by node:http', (done) => {
  const { request } = require('node:http')
  const sent = request(`${process.env.UPSTREAM_URL}/v1/chat/completions`, { method: 'POST' })
  sent.on('response', (response) => {
    expect(response.statusCode).toBe(200)
    response.resume().on('end', done)
  })
  sent.end(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'by http' }] }))
})

test.skip('is left out', () => ask('never'))
test.todo('is not written yet')
