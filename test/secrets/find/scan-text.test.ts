import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingsOf, scanText } from '../../../src/secrets/find/scan-text.ts'

/** The beginnings of credentials, over and over: what makes a careless pattern try again at every place. */
const BEGINNINGS = [
  'sk-',
  'sk-ant-api03-',
  'pa-',
  'fw_',
  'eyJ.',
  'eyJhbGciOi-',
  'A_',
  'A_KEY=',
  'xoxb-1-',
  'SG.a.',
  '+ABSK',
  '-----BEGIN PRIVATE KEY-----',
  'postgres://a:',
  '%41',
  '\\u0041',
  'a',
  ' ',
  '1',
]

test.for(BEGINNINGS)('80,000 characters of %j take no time', (beginning) => {
  const text = beginning.repeat(80_000 / beginning.length)
  const started = process.cpuUsage()
  for (const reading of readingsOf(text)) scanText(reading)
  const { user } = process.cpuUsage(started)
  expect(user / 1_000).toBeLessThan(2_000)
})

test('no text is too odd to be scanned', () => {
  const pieces = fc.constantFrom(...BEGINNINGS, '"', '\n', '=', '\u0000', '\ud800', 'é', '😀')
  const texts = fc.array(pieces, { maxLength: 200 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const found = scanText(text)
      expect(found.map(({ at, secret }) => text.slice(at, at + secret.length))).toEqual(
        found.map(({ secret }) => secret),
      )
    }),
  )
})
