import { expect, test } from 'vitest'
import { refuseOtherRuntime } from '../../src/runners/refuse-runtime.ts'

test('Node may open a cassette', () => {
  expect(() => refuseOtherRuntime()).not.toThrow()
})

test.for([
  [{ node: '26.3.0', bun: '1.4.5' }, 'Bun 1.4.5', 'npx vitest-cassette run -- bun test'],
  [{ node: '24.0.0', deno: '2.9.6' }, 'Deno 2.9.6', 'npx vitest-cassette run -- deno test -A'],
] as const)('%o may not, and is told what answers it', ([versions, name, command]) => {
  expect(() => refuseOtherRuntime(versions)).toThrow(name)
  expect(() => refuseOtherRuntime(versions)).toThrow(command)
})
