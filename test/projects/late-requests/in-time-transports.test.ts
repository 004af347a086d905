import { describe, test } from 'vitest'
import { ask } from './calls.ts'
import { opened, transports, say, sockets } from './transports.ts'

describe('in time by', () => {
  const withoutSockets = Object.entries(transports).filter(([name]) => !(name in sockets))
  test.for(withoutSockets)('%s', ([name, ask]) => ask(`in time by ${name}`))
})

describe('in time over', () => {
  test.for(Object.entries(sockets))('%s', async ([name, open]) => {
    say(await opened(open), `in time over ${name}`)
  })
})

test('in time repeated', { repeats: 1 }, () => ask('in time repeated'))
