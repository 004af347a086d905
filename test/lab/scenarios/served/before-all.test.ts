import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'
import { askAt, startApp } from './app.ts'

let app: { url: string; server: Server }
let attempts = 0

beforeAll(async () => {
  app = await startApp()
  await askAt(app.url, 'warm up')
})
afterAll(async () => {
  await askAt(app.url, 'good bye')
  app.server.close()
})

test('asks first', async () => {
  expect(await askAt(app.url, edited('first', 'the first'))).toBe('You said: first')
})

test('asks second, and by itself', async () => {
  expect(await askAt(app.url, 'second')).toBe('You said: second')
  expect(await ask('by itself')).toBe('You said: by itself')
})

test('tries again', { retry: 1 }, async () => {
  expect(await askAt(app.url, 'again')).toBe('You said: again')
  expect(++attempts).toBe(2)
})

describe.concurrent('at the same time', () => {
  for (const name of ['one', 'other'])
    test(name, async () => {
      expect(await askAt(app.url, name)).toBe(`You said: ${name}`)
    })
})
