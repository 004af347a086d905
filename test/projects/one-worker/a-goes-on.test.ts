import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'

/** Asks when the file may have ended, and fails nobody. */
function askLater(question: string): Promise<string> {
  return delay(300).then(() => ask(question + (process.env.WORD ?? '')).catch(String))
}

const warm = askLater('module of a')

describe('a', () => {
  const ready = askLater('describe of a')

  test('waits', async () => {
    expect(await warm).toBe('Odd: module of a')
    expect(await ready).toBe('Odd: describe of a')
  })
})
