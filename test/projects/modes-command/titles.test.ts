import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks', () => expectAnswer())

test('asks more', () => expectAnswer())

describe('a suite > "its" part', () => {
  test('asks', () => expectAnswer())

  test(`it's 5.00$ (a|b)? [x] {1} ^ \\ * + $HOME \`date\` !! #`, () => expectAnswer())
})

test('ends one line\n  and begins — überall 日本', () => expectAnswer())

async function expectAnswer(): Promise<void> {
  expect(await ask('numbered question')).toMatch(/^Odd: numbered question/)
}
