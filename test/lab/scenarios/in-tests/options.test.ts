import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test as base } from 'vitest'
import { useCassette } from 'vitest-cassette'
import { ask } from './agent.ts'

const changed = process.env.CHANGED === '1'

base('the context has the cassette', async ({ cassette }) => {
  cassette.use({ repeats: 'last' })
  await ask('Say it again')
  if (changed) await ask('Say it again')
})

base('a function has it too', async () => {
  useCassette({ volatile: ['$.user'] })
  await ask('Who am I?', { user: randomUUID() })
})

describe('for all tests below', () => {
  const cassette = useCassette({ unused: 'warn' })

  base('asks less', async () => {
    await ask('One')
    if (!changed) await ask('Two')
    expect(cassette.exchanges).toHaveLength(changed ? 1 : 2)
  })

  base('the nearest wins', async () => {
    useCassette({ unused: 'fail' })
    await ask('One')
    if (!changed) await ask('Two')
  })

  describe('in hooks', () => {
    beforeEach(() => void useCassette({ repeats: 'last' }))

    base.for([1, 2])('repeats %s', async (times) => {
      for (let time = 0; time <= (changed ? times : 0); time++) await ask('Again')
    })
  })
})

base('and this one is as strict as ever', async () => {
  await ask('One')
  if (!changed) await ask('Two')
})

const test = base.extend<{ answers: string[] }>({
  answers: async ({ task }, use) => {
    task.context.cassette.use({ repeats: 'last' })
    const answers = [await ask('From a fixture')]
    if (changed) answers.push(await ask('From a fixture'))
    await use(answers)
    expect(useCassette().exchanges).toHaveLength(changed ? 3 : 2)
  },
})

test('extended', async ({ answers, cassette }) => {
  await ask(`After ${answers[0]}`)
  expect(cassette.exchanges.map(({ source }) => source)).toContain(
    process.env.RECORD ? 'recorded' : 'replayed',
  )
})

describe.concurrent('side by side', () => {
  base.for(['one', 'two', 'three'])('asks %s', async (name, { cassette, expect }) => {
    if (name === 'two') cassette.use({ repeats: 'last' })
    const times = changed && name === 'two' ? 3 : 1
    for (let time = 0; time < times; time++) await ask(`I am ${name}`)
    expect(cassette.exchanges.map(({ prompt }) => prompt.messages[0]!.parts)).toEqual(
      Array.from({ length: times }, () => [{ type: 'text', text: `I am ${name}` }]),
    )
  })
})

let attempt = 0
base('a retry begins anew', { retry: 1 }, async ({ cassette }) => {
  attempt++
  expect(cassette.exchanges).toEqual([])
  await ask('Try')
  // The options of an attempt end with it.
  if (attempt === 1) cassette.use({ unused: 'warn' })
  expect(attempt).toBe(2)
})

base('records while its file replays', async ({ cassette }) => {
  cassette.use({ mode: 'new' })
  await ask('Recorded')
  if (process.env.CHANGED_ONCE) await ask('Recorded later')
})

base('sees a host of its own', async ({ cassette }) => {
  cassette.use({ hosts: ['127.0.0.1'] })
  await (await fetch(`${process.env.UPSTREAM_URL}/health`)).text()
  expect(cassette.exchanges).toHaveLength(1)
})

let inBeforeAll: Error
beforeAll(() => {
  try {
    useCassette({ unused: 'warn' })
  } catch (error) {
    inBeforeAll = error as Error
  }
})

base('what is wrong is said', async ({ cassette }) => {
  expect(inBeforeAll.message).toContain('Call useCassette() in a test, in beforeEach')
  expect(() => cassette.use({ mod: 'new' } as object)).toThrow(/mod: there is no such option/)
  expect(() => cassette.use({ mode: 'record' } as object)).toThrow(
    /useCassette\({ … }\) does not understand its options:\n {2}mode: one of 'replay'/,
  )
  expect(() => useCassette({ dir: 'x' } as object)).toThrow(/A test has no dir of its own/)
  await ask('Now it is too late')
  expect(() => cassette.use({ volatile: ['$.user'], unused: 'warn' })).toThrow(
    /^volatile: set after the first request of the test "options.test.ts > what is wrong is said"/,
  )
  cassette.use({ unused: 'warn' })
})

let last: import('vitest-cassette').TestCassette
base('ends', ({ cassette }) => void (last = cassette))
base('is over', () => {
  expect(() => last.use({ unused: 'warn' })).toThrow(/unused: set after the end of the test/)
})
