import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { askAt, startApp } from '../served/app.ts'

let app: { url: string; server: Server }

beforeAll(async () => {
  app = await startApp()
  await askAt(app.url, 'warm up')
})
afterAll(async () => {
  await askAt(app.url, 'good bye')
  app.server.close()
})

test('asks first', async () => {
  expect(await askAt(app.url, 'first')).toBe('You said: first')
})

test('asks second, and by itself', async () => {
  expect(await askAt(app.url, 'second')).toBe('You said: second')
  expect(await ask('by itself')).toBe('You said: by itself')
})

describe.concurrent('at the same time', () => {
  for (const name of ['one', 'other'])
    test(name, async () => {
      expect(await askAt(app.url, name)).toBe(`You said: ${name}`)
    })
})
