import { expect, test } from 'vitest'
import type { ReportedFailure } from '../../../../src/explain/failure.ts'
import { failureError } from '../../../../src/runners/vitest/setup/fail-in-node.ts'

const failure: ReportedFailure = { code: 'miss', headline: 'Gone', details: 'All of it.' }

const stackOf = (callSite: string | undefined, location: string): string | undefined => {
  const error = callSite === undefined ? undefined : Object.assign(new Error(), { stack: callSite })
  return failureError(error ? { ...failure, callSite: error } : failure, location).stack
}

test('a failure points at the line of the application that asked', () => {
  const stack = 'Error\n    at node:internal/x:1:2\n    at /app/src/ask.ts:7:3'
  expect(stackOf(stack, '/app/a.test.ts:4:1')).toBe(
    'CassetteError: Gone\n    at /app/src/ask.ts:7:3',
  )
})

test('or at the line that is known a turn later, when a client returns promises without await', () => {
  const soon = { stack: 'Error\n    at send (/app/node_modules/sdk/client.mjs:1:2)' }
  const later = { stack: `${soon.stack}\n    at async ask (/app/src/ask.ts:7:3)` }
  const callSite = Object.assign(new Error(), soon, { cause: Object.assign(new Error(), later) })
  expect(failureError({ ...failure, callSite }, '/app/a.test.ts:4:1').stack).toBe(
    'CassetteError: Gone\n    at async ask (/app/src/ask.ts:7:3)',
  )
})

test('where the stack is lost, it points at the test', () => {
  expect(stackOf('Error\n    at node:internal/x:1:2', '/app/a.test.ts:4:1')).toBe(
    'CassetteError: Gone\n    at /app/a.test.ts:4:1',
  )
})

test('where nobody knows the line of the test either, it points at none', () => {
  expect(stackOf(undefined, '/app/a.test.ts')).toBe('CassetteError: Gone')
})
