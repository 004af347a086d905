import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findKnown } from '../../../src/secrets/find/find-known.ts'
import { SPELLINGS } from '../spelled-in.ts'

const KEY = 'q7Lw0Z-tr9Xk2mPe_Ub4'
const bytes = [...Buffer.from(KEY)]

test.for<[how: string, text: string]>([
  ...SPELLINGS.map(([how, spell]): [string, string] => [how, spell(`my ${KEY}`)]),
  ['in capitals', KEY.toUpperCase()],
  ['in letters', [...KEY].join(' ')],
  ['in base64 twice', Buffer.from(Buffer.from(KEY).toString('base64')).toString('base64')],
  ['compressed', gzipSync(KEY).toString('base64')],
  ['in escapes', bytes.map((byte) => `\\u00${byte.toString(16)}`).join('')],
  ['in a list of bytes', bytes.join(', ')],
  ['in a list of bytes on lines', `\n${bytes.slice(0, 20).join(',\n')}`],
  ['in a Uint8Array', JSON.stringify(new Uint8Array(bytes))],
  ['in a Uint8Array on lines', JSON.stringify(new Uint8Array(bytes), null, 1)],
  ['in a Uint8Array in tabs', JSON.stringify(new Uint8Array(bytes), null, '\t')],
])('the cheap check sees a value %s, and in JSON too', ([, text]) => {
  const { find, mayHold } = findKnown([{ name: 'A_KEY', value: KEY }])
  expect(find(text)).not.toEqual([])
  expect(mayHold(text)).toBe(true)
  expect(mayHold(JSON.stringify({ text }))).toBe(true)
  expect(mayHold(JSON.stringify(JSON.stringify(text)))).toBe(true)
})

test('the cheap check passes over what holds no value', () => {
  const { mayHold } = findKnown([{ name: 'A_KEY', value: KEY }])
  expect(mayHold('The rooms 1, 2 and 3 are free from 9:15, at 20 each: see page 4.')).toBe(false)
})
