import { setTimeout as delay } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { ask } from './calls.ts'
import { opened, transports, say, sockets } from './transports.ts'

describe('by', () => {
  test.for(Object.entries(transports))('%s', ([name, ask]) => {
    setImmediate(() => ask(name))
  })
})

describe('a message over', () => {
  test.for(Object.entries(sockets))('%s', async ([name, open]) => {
    const socket = await opened(open)
    setTimeout(() => say(socket, `a message over ${name}`), 20)
  })
})

let times = 0
test('repeated', { repeats: 1 }, () => {
  const time = ++times
  setTimeout(() => ask(`time ${time}`), 5)
})

test('a second', () => {
  setTimeout(() => ask('a second'), 1_000)
})

test('waits', () => delay(1_100))
