import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { readText } from '../../src/wire/body.ts'
import { withWholeTarget } from '../../src/transports/intercept/call/whole-target.ts'

/** The address as it is stored, and the hashes of the request as it is sent and as it is stored. */
function forms(query: string): { stored: string; sent: string; recorded: string } {
  const url = `https://llm.example.com/v1/chat/completions${query}`
  const wire = wireRequest({ method: 'POST', url, headers: new Headers(), body: '{"a":1}' })
  const { hash } = readIncoming(wire)
  return {
    stored: wire.url,
    sent: hash,
    recorded: readIncoming({ ...wire, body: readText('{"a":1}') }).hash,
  }
}

test.for(['q', 'model', 'lang', 'api-version'])(
  'the bytes of the parameter %s count, also those that are no text',
  (name) => {
    const values = [
      'caf%E9',
      'caf%E8',
      'caf%E9%E9',
      'caf%EF%BF%BD',
      'caf%C3%A9',
      'caf%C3',
      'caf%25E9',
      'caf%FF%C3%A9',
      'caf%ED%B3%A9',
      'caf%ED%A0%80',
      'caf',
      '%00caf',
      'a%2Bb',
      'a+b',
      'a%252Fb',
      'a%2Fb',
      'a%26b',
      'a%3Db',
      'a%23b',
      '',
    ]
    const all = values.map((value) => forms(`?${name}=${value}`))
    expect(new Set(all.map(({ sent }) => sent)).size).toBe(values.length)
    expect(new Set(all.map(({ stored }) => stored)).size).toBe(values.length)
    for (const { stored, sent, recorded } of all) {
      expect(recorded).toBe(sent)
      expect(forms(new URL(stored).search)).toEqual({ stored, sent, recorded })
    }
  },
)

test('a name with bytes that are no text is another name', () => {
  const names = ['caf%E9', 'caf%E8', 'caf%C3%A9', 'caf%25E9', 'caf', 'caf%3D']
  expect(new Set(names.map((name) => forms(`?${name}=1`).sent)).size).toBe(names.length)
})

test.for([
  ['the case of digits', '?q=caf%e9&r=%2f', '?q=caf%E9&r=%2F'],
  ['what needs no escape', '?q=%41%E9', '?q=A%E9'],
  ['a space', '?q=a+b', '?q=a%20b'],
  ['an empty value', '?q', '?q='],
  ['no parameter', '?', ''],
  ['an empty part', '?a=1&&b=2', '?a=1&b=2'],
  ['the order of names', '?a=%E9&b=2', '?b=2&a=%E9'],
])('the spelling of %s does not count', ([, one, other]) => {
  expect(forms(one!).sent).toBe(forms(other!).sent)
})

test('the order of the values of one name counts', () => {
  expect(forms('?a=%E9&a=%E8').sent).not.toBe(forms('?a=%E8&a=%E9').sent)
})

test.for([
  ['/v1/a#part?q=1', '/v1/a?%23part?q=1'],
  ['/v1/a?q=a#b#c', '/v1/a?q=a%23b%23c'],
  ['http://h/v1/a?#', 'http://h/v1/a?%23'],
  ['/v1/a?q=a%23b', '/v1/a?q=a%23b'],
])('a target with a fragment keeps it: %s', ([target, whole]) => {
  expect(withWholeTarget(target!)).toBe(whole)
})

test('a volatile value in the address is one value with that of the body', () => {
  const [one, other] = ['1', '2'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`)
  const hashOf = (inPath: string, inQuery: string, inBody: string): string =>
    readIncoming(
      {
        method: 'POST',
        url: `https://llm.example.com/runs/${inPath}?run=${inQuery}&api-version=2024-10-21`,
        body: { kind: 'json', value: { run: inBody }, layout: {} },
      },
      { volatile: ['uuid', 'date-phrase'] },
    ).hash
  expect(hashOf(one!, one!, one!)).toBe(hashOf(other!, other!, other!))
  expect(hashOf(one!, one!, one!)).not.toBe(hashOf(other!, one!, one!))
  expect(hashOf(one!, one!, one!)).not.toBe(hashOf(other!, other!, one!))
})
