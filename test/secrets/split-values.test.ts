import { expect, test } from 'vitest'
import { redactorFor, type Redactor } from '../../src/secrets/redactor.ts'
import { textOf, type Body } from '../../src/wire/body.ts'
import { credentials } from '../reliability/credentials.ts'
import { nearMisses } from '../reliability/near-misses.ts'
import { exampleExchange } from '../cassette/example-cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { findIssued } from '../../src/secrets/find-likely.ts'
import { findSecrets, type FoundSecret } from '../../src/secrets/find-secrets.ts'
import { spelledIn, SPELLINGS } from './spelled-in.ts'
import { BODIES } from './split-bodies.ts'
import { splitIn } from './split-in.ts'

const KEY = 'q7Lw0Z+tr/9Xk"2m\\Pe'
const NAME = '<REDACTED:ACME_API_KEY>'
function redactor(env: Record<string, string> = { ACME_API_KEY: KEY }): Redactor {
  return redactorFor([], new URL('https://api.openai.com/v1/responses'), [], env)
}

function redacted(body: Body, by = redactor()): Body {
  const asked = by.request({ method: 'POST', url: 'https://api.openai.com/v1/responses', body })
  const answered = by.response({ status: 200, headers: {}, body })
  expect(asked.body).toEqual(answered.body)
  return asked.body
}

test.for(Object.entries(BODIES))('a value that is split over %s is replaced', ([, bodyOf]) => {
  for (let at = 1; at < KEY.length; at++) {
    const kept = redacted(bodyOf([`It is ${KEY.slice(0, at)}`, `${KEY.slice(at)}.`]))
    expect(textOf(kept)).toBe(textOf(bodyOf([`It is ${NAME}`, '.'])))
  }
  const kept = redacted(bodyOf([`a${KEY.slice(0, 5)}`, KEY.slice(5, 9), `${KEY.slice(9)}b`]))
  expect(textOf(kept)).toBe(textOf(bodyOf([`a${NAME}`, '', 'b'])))
})

test.for(SPELLINGS)('a value that is split as it is spelled %s is replaced', ([, spell]) => {
  const value = 'q7Lw0Z-tr9Xk2mPe_Ub4'
  const spelled = spell(`It is ${value}, see`)
  const bodyOf = BODIES['blocks of an answer']!
  for (let at = 1; at < spelled.length; at++) {
    const kept = redacted(
      bodyOf([spelled.slice(0, at), spelled.slice(at)]),
      redactor({ A_KEY: value }),
    )
    const { content } = JSON.parse(textOf(kept)) as { content: Array<{ text: string }> }
    expect(content).toHaveLength(2)
    expect(spelledIn(content.map((part) => part.text).join(''), value)).toEqual([])
  }
})

const issued = credentials.flatMap(({ value }) => findIssued(value).map(({ secret }) => secret))

test('a split value that the environment does not know is found by the mark of its issuer', () => {
  expect(issued.length).toBeGreaterThan(40)
  for (const [name, bodyOf] of Object.entries(BODIES)) {
    const missed = issued.filter((value) => {
      const at = Math.ceil(value.length / 3)
      const body = bodyOf(['Hello', value.slice(0, at), value.slice(at), 'you'])
      const found = splitIn([exampleExchange(1, {}, body)])
      return !found.some(({ secret }) => secret.startsWith(value))
    })
    expect(missed, name).toEqual([])
  }
})

test('a split value is named by the body in which it stands, and once', async () => {
  const [key] = issued as [string]
  const parts = [`Mine is ${key.slice(0, 12)}`, key.slice(12), 'Thanks'].map((content) => ({
    content,
  }))
  const asked = exampleExchange(1, { messages: parts })
  const found = [{ pointer: '/exchanges/0/request/body' }]
  expect(await scan([asked])).toMatchObject(found)
  expect(
    await scan([asked, exampleExchange(2, { messages: [...parts, { content: 'So?' }] })]),
  ).toMatchObject(found)
  const whole = exampleExchange(1, { messages: [{ content: key }, { content: 'abc' }] })
  expect(await scan([whole])).toMatchObject([
    { pointer: '/exchanges/0/request/body/messages/0/content' },
  ])
})

test('what comes near to a credential is none beside other texts', () => {
  const texts = Object.values(nearMisses)
  const env = Object.fromEntries(credentials.map(({ value }, at) => [`KEY_${at}_TOKEN`, value]))
  const by = redactor(env)
  for (const [name, bodyOf] of Object.entries(BODIES)) {
    for (const list of [
      texts,
      texts.toReversed(),
      texts.flatMap((text) => text.split(/(?<=[-_])/)),
    ]) {
      const body = bodyOf(list)
      expect(redacted(body, by), name).toBe(body)
      expect(splitIn([exampleExchange(1, {}, body)]), name).toEqual([])
    }
  }
})

test('what a rule of the user describes is looked for in each text alone', () => {
  const by = redactorFor([], new URL('https://api.openai.com/v1/responses'), [/\d{8}/], {})
  const body = BODIES['a list of texts']!(['1234', '5678', '12345678'])
  expect(textOf(redacted(body, by))).toBe('{"id":"a","output":["1234","5678","<REDACTED:rule.1>"]}')
})

async function scan(exchanges: ReturnType<typeof exampleExchange>[]): Promise<FoundSecret[]> {
  const timestamp = '2026-01-02T03:04:05.000Z'
  const { stored } = encodeCassette({ conversationId: 'a', timestamp, exchanges }, '')
  return (await findSecrets(stored, exchanges)).secrets
}
