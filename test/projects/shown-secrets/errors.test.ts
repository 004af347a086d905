import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'

// The process of Vitest knows the first alone.
process.env.SHOP_PASSWORD = ['zK4qLm8vT1', 'yRw0Xc6PbN'].join('')
const known = process.env.OPENAI_API_KEY!
const own = process.env.SHOP_PASSWORD
const both = `${known} and ${own}`
/** Only the name of its property shows that it is a credential. */
const named = ['Qm9xVb2nLs', '7KtRf4HcYd8WjZ'].join('')

test('a message, causes and errors', () => {
  const inner = new Error(`inner ${both}`)
  throw new AggregateError([inner, new Error(`second ${both}`, { cause: inner })], `outer ${both}`)
})

test('an error of a client', () => {
  const request: Record<string, unknown> = { path: `/?key=${known}` }
  request.self = request
  const error = Object.assign(new Error(`401: ${named}`), {
    name: `ClientError of ${own}`,
    code: known,
    config: { headers: { Authorization: `Bearer ${named}` }, data: JSON.stringify({ both }) },
    request,
    bytes: Buffer.from(own),
    map: new Map([[known, own]]),
    [own]: true,
  })
  Object.defineProperty(error, 'broken', {
    enumerable: true,
    get: () => {
      throw new Error(both)
    },
  })
  throw Object.freeze(error)
})

test('a thrown object', () => {
  throw { message: `no ${both}`, deep: [{ said: known }] }
})

test('a thrown text', () => {
  throw `no ${both}`
})

test('a thrown list', () => {
  throw [known, own]
})

test('a thrown map', () => {
  throw new Map([[known, own]])
})

test('an assertion', () => {
  expect(`Say ${known.slice(0, 12)}-${own}`).toBe(`Say ${known}-${own.slice(0, 14)}`)
})

test('soft assertions', () => {
  expect.soft({ said: both }).toEqual({ said: known })
  expect.soft([own]).toEqual([])
})

test('a failure that a hook sees', () => {
  onTestFailed(({ task }) => console.log(`seen: ${task.result!.errors![0]!.name}`))
  throw new RangeError('plain')
})

test(`a title with ${known}`, () => {})

test('annotations', async ({ annotate }) => {
  await annotate(`noted ${both}`, 'notice')
})

describe('hooks', () => {
  beforeAll(() => {
    throw new Error(`beforeAll ${both}`)
  })
  afterAll(() => {
    throw new Error(`afterAll ${both}`)
  })
  test('is skipped', () => {})
})

describe('more hooks', () => {
  afterEach(() => {
    throw new Error(`afterEach ${both}`)
  })
  test('passes', () => {})
})

test('what nobody awaits', async () => {
  void Promise.reject(Object.assign(new Error(`rejected ${both}`), { sent: [own] }))
  setTimeout(() => {
    throw new Error(`uncaught ${both}`)
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
})
