import { strictEqual } from 'node:assert/strict'

const { UPSTREAM_URL, WORD = 'two' } = process.env

async function ask(content) {
  const response = await fetch(`${UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}

let tries = 0

describe('an application', () => {
  it('asks', async () => {
    strictEqual(typeof (await ask('one')), 'string')
  })

  it('asks what may change', async () => {
    await ask(WORD)
  })

  it('has a fallback', async () => {
    await ask(`${WORD} or else`).catch(() => 'the fallback')
  })

  it('skips where there is no answer', async function () {
    try {
      await ask(`${WORD} or none`)
    } catch {
      this.skip()
    }
  })

  it('is tried again', async function () {
    this.retries(1)
    await ask('again')
    strictEqual(++tries, 2)
  })

  it('calls back', (done) => {
    setTimeout(done)
  })

  it('is not written yet')

  it('is left out', function () {
    this.skip()
  })

  it('comes last', async () => {
    await ask('last')
  })
})
