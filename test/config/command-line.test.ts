import { expect, test } from 'vitest'
import { inMode, recording } from '../../src/config/mode.ts'

test.each([
  ['linux', 'RECORD=1 npx playwright test', 'RECORD=new npx playwright test'],
  ['win32', '$env:RECORD=1; npx playwright test', '$env:RECORD=new; npx playwright test'],
] as const)('on %s a command records, and in another mode too', (platform, command, other) => {
  expect(recording('npx playwright test', platform)).toBe(command)
  expect(inMode(command, 'new')).toBe(other)
})

test('a command that records by itself takes the mode as an option', () => {
  expect(inMode('npx vitest-cassette record "RECORD=1.test.ts"', 'prompts')).toBe(
    'npx vitest-cassette record "RECORD=1.test.ts" --prompts',
  )
})
