import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { ONLY } = process.env

for (const title of ['\u00e9', 'e\u0301', 'E\u0301', '\u00e9\u200b'])
  test.runIf(!ONLY || title === ONLY)(title, async () => {
    expect(await ask(escape(title))).toBe(`Odd: ${escape(title)}`)
  })
