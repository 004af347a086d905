import { expect, test } from 'vitest'
import { keep } from '../keep.ts'
import { clients, type Owned, sockets } from './clients.ts'

function owned(title: string): Owned & { change(): void } {
  const content = `header ${title} before`
  const body = Buffer.from(
    JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  )
  const headers = { 'content-type': 'application/json', 'openai-organization': 'before' }
  return {
    headers,
    body,
    change() {
      headers['openai-organization'] = 'after'
      body.write('after ', body.indexOf('before'))
    },
  }
}

test.each(Object.keys(clients))('changes at once what it gave %s', async (name) => {
  const { change, ...given } = owned(`${name} at once`)
  const { answer } = clients[name]!(given)
  change()
  keep(`${name.replaceAll(/\W+/g, '-')}-at-once`, await answer.catch(String))
})

test.each(Object.keys(clients))('changes what %s has taken', async (name) => {
  const { change, ...given } = owned(`${name} taken`)
  const { answer, taken } = clients[name]!(given)
  await taken
  if (taken) change()
  keep(`${name.replaceAll(/\W+/g, '-')}-taken`, await answer.catch(String))
})

test.each(Object.keys(sockets))('changes the frame that it sent by %s', async (name) => {
  const send = await sockets[name]!()
  const body = Buffer.from(JSON.stringify({ response: { instructions: `${name} before` } }))
  const answer = send(body)
  body.write('after ', body.indexOf('before'))
  keep(`${name}-frame`, await answer)
})

/** Options of fetch that give another value each time they are read. */
test('reads what it gives fetch once', async () => {
  const reads: string[] = []
  const { headers, body } = owned('getters')
  const texts = [String(body), 'second body', 'third body']
  const init = {
    get method() {
      reads.push('method')
      return 'POST'
    },
    get headers() {
      reads.push('headers')
      return headers
    },
    get body() {
      reads.push('body')
      return texts.shift()
    },
  }
  const response = await fetch(`${process.env.ODD_URL}/v1/chat/completions`, init)
  keep('getters', { reads: reads.sort(), text: await response.text() })
  expect(response.status).toBe(200)
})

test('gives fetch options that it inherits', async () => {
  const { headers, body } = owned('inherited')
  class Init {
    get method() {
      return 'POST'
    }
    get headers() {
      return headers
    }
    get body() {
      return String(body)
    }
  }
  const response = await fetch(`${process.env.ODD_URL}/v1/chat/completions`, new Init())
  keep('inherited', await response.text())
})
