import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import { readBody } from '../../src/wire/read-body.ts'

const hashOf = (text: string): string =>
  readIncoming({
    method: 'POST',
    url: 'https://api.openai.com/v1/files',
    body: readBody(new TextEncoder().encode(text)),
  }).hash

test('lines compare by what they say, in their order, and never equal one value', () => {
  const hash = hashOf('{"a":1,"b":2}\n{"c":3}\n')
  expect(hashOf('{"b": 2, "a": 1.0}\n{"c": 3}\n')).toBe(hash)
  expect(hashOf('{"a":1,"b":2}\n{"c":4}\n')).not.toBe(hash)
  expect(hashOf('{"c":3}\n{"a":1,"b":2}\n')).not.toBe(hash)
  expect(hashOf('[{"a":1,"b":2},{"c":3}]')).not.toBe(hash)
})
