import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingsOf } from '../../../src/secrets/find-secrets.ts'
import { scanTexts } from '../../../src/secrets/find/scan-texts.ts'

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

test.for(BEGINNINGS)('80,000 characters of %j take no time', async (beginning) => {
  const text = beginning.repeat(80_000 / beginning.length)
  const started = process.cpuUsage()
  await scanTexts(readingsOf(text))
  const { user } = process.cpuUsage(started)
  expect(user / 1_000).toBeLessThan(2_000)
})

test('no text is too odd to be scanned', async () => {
  const pieces = fc.constantFrom(...BEGINNINGS, '"', '\n', '=', '\u0000', '\ud800', 'é', '😀')
  const texts = fc.array(fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')))
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      for (const { text, secret } of await scanTexts(all)) {
        expect(all[text]).toContain(secret)
      }
    }),
  )
})

test('secretlint is loaded by the scan alone, when there is something to scan', () => {
  const src = fileURLToPath(new URL('../../../src', import.meta.url))
  const importers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /^import (?!type).*@secretlint/m.test(readFileSync(join(src, file), 'utf8')))
  expect(importers).toEqual([])
})
