import { strictEqual } from 'node:assert/strict'
import { ask, summarize } from './app.mjs'

let tries = 0

beforeEach(() => ask('before each'))

describe('an application', () => {
  before(async () => {
    strictEqual(typeof (await ask('before all')), 'string')
  })

  it('asks', async () => {
    strictEqual(typeof (await ask('one')), 'string')
  })

  it('has a fallback', async () => {
    strictEqual(typeof (await summarize('a report')), 'string')
  })

  it('skips where there is no answer', async function () {
    if ((await summarize('none')).startsWith('No')) this.skip()
  })

  it('is tried again', async function () {
    this.retries(1)
    await ask('again')
    strictEqual(++tries, 2)
  })

  it('calls back', (done) => {
    ask('with a callback').then(() => done(), done)
  })

  it('is not written yet')

  it('is left out', function () {
    this.skip()
  })

  for (const number of [1, 2]) it(`asks of ${number}`, () => ask(`row ${number}`))
})
