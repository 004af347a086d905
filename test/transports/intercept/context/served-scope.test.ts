import { afterEach, expect, test } from 'vitest'
import {
  currentScope,
  endCollecting,
  enterCollecting,
  runInScope,
  setFileScope,
  setLoneTest,
} from '../../../../src/transports/scope.ts'
import { enterServedScope } from '../../../../src/transports/intercept/context/served-scope.ts'
import type { Attempt } from '../../../../src/attempt/attempt.ts'

const attempt = (name: string): Attempt => ({ name }) as unknown as Attempt
const [file, first, second] = ['file', 'first', 'second'].map(attempt) as [
  Attempt,
  Attempt,
  Attempt,
]
const alone = (test: Attempt, leavesToFile = false): void =>
  setLoneTest({ attempt: test, leavesToFile: () => leavesToFile })

afterEach(() => {
  setFileScope(undefined)
  setLoneTest(undefined)
})

test('a server works for the test that runs alone, and else in the scope of the code that started it', () => {
  setFileScope(file)
  const server = {}
  // As on a connection that is kept: each request begins in the scope of the one before.
  runInScope(first, () => {
    enterServedScope(server)
    expect(currentScope()).toBe(first)
    alone(second)
    enterServedScope(server)
    expect(currentScope()).toBe(second)
    setLoneTest(undefined)
    enterServedScope(server)
    expect(currentScope()).toBe(first)
  })
})

test('calls that are recorded with the file stay there, whoever runs', () => {
  setFileScope(file)
  for (const start of [(run: () => void) => runInScope(file, run), (run: () => void) => run()])
    start(() => {
      alone(second, true)
      enterServedScope({})
      expect(currentScope()).toBe(file)
    })
})

test('requests of a recording itself stay its own', () => {
  setFileScope(file)
  runInScope('upstream', () => {
    alone(second)
    enterServedScope({})
    expect(currentScope()).toBe('upstream')
  })
})

test('a server that the module of an earlier file has started works for the next, too', () => {
  const earlier = attempt('earlier')
  enterCollecting(earlier)
  endCollecting()
  setFileScope(file)
  const server = {}
  runInScope(earlier, () => {
    enterServedScope(server)
    expect(currentScope()).toBe(file)
    alone(second)
    enterServedScope(server)
    expect(currentScope()).toBe(second)
    alone(second, true)
    enterServedScope(server)
    expect(currentScope()).toBe(file)
  })
})
