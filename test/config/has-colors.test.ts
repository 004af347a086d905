import { expect, test } from 'vitest'
import { hasColors, isForced } from '../../src/config/has-colors.ts'

test.each([
  ['0', false],
  ['false', false],
  [undefined, false],
  ['1', true],
  ['3', true],
  ['true', true],
])('FORCE_COLOR=%s asks for colours: %s', (FORCE_COLOR, expected) => {
  expect(isForced({ FORCE_COLOR })).toBe(expected)
  if (FORCE_COLOR !== undefined && !expected) expect(hasColors({ FORCE_COLOR })).toBe(false)
})
