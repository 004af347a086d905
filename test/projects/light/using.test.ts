import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'

useCassette()

test('asks no model, and could use its cassette', () => {
  expect(1 + 1).toBe(2)
  writeFileSync('using.json', JSON.stringify({ pid: process.pid }))
})
