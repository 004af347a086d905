import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'
import { ask } from './agent.ts'

useCassette({ volatile: ['$.user'] })

const atTheTop = await ask('Who imports this?', { user: randomUUID() })
let before: string

beforeAll(async () => {
  before = await ask('Who was before?', { user: randomUUID() })
})

test('and in a test', async () => {
  expect([atTheTop, before]).not.toContain('')
  await ask('Who is in a test?', { user: randomUUID() })
})
