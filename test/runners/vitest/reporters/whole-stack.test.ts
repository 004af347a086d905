import { parseErrorStacktrace } from '@vitest/utils/source-map'
import type { TestError } from 'vitest'
import { expect, test } from 'vitest'
import { tellInStack } from '../../../../src/runners/vitest/reporters/whole-stack.ts'

const FRAME = '    at ask (/app/src/ask.ts:7:3)'

function errorWith(diff: string, frames: string): TestError {
  const stack = `CassetteError: The prompt changed${frames}`
  return { name: 'CassetteError', message: 'The prompt changed', diff, stack }
}

test('the stack has the text of the failure, without colours', () => {
  const error = errorWith('  closest\n\u001b[31m    - Be kind.\u001b[39m', `\n${FRAME}`)
  tellInStack(error)
  expect(error.stack).toBe(
    `CassetteError: The prompt changed\n\n  closest\n    - Be kind.\n${FRAME}`,
  )
})

test('twice says it once, and a new text replaces the old one', () => {
  const error = errorWith('  closest', `\n${FRAME}`)
  tellInStack(error)
  const { stack } = error
  tellInStack(error)
  expect(error.stack).toBe(stack)
  error.diff = '  another'
  tellInStack(error)
  expect(error.stack).toBe(`CassetteError: The prompt changed\n\n  another\n${FRAME}`)
})

test.each([
  ['of V8', '      at run (/secret/place.ts:1:2)\n    at /x.ts:3:4'],
  ['of Firefox', '    - run@/secret/place.ts:1:2\n@https://x.dev/y.js:3:4'],
])('a prompt with a stack %s in it adds no places', (_, diff) => {
  for (const [frames, lines] of [
    [`\n${FRAME}`, [7]],
    ['', []],
  ] as const) {
    const error = errorWith(diff, frames)
    tellInStack(error)
    const places = parseErrorStacktrace(error).map(({ line }) => line)
    expect(places).toEqual(lines)
    expect(error.stack!.replaceAll('\u200b', '')).toContain(diff)
  }
})

test('an error without a text stays as it is', () => {
  const error: TestError = { name: 'CassetteError', message: 'Gone', stack: 'CassetteError: Gone' }
  tellInStack(error)
  expect(error.stack).toBe('CassetteError: Gone')
})
