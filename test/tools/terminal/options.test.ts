import { expect, test } from 'vitest'
import { numberOption } from '../../../src/tools/terminal/options.ts'

test('an option gives a number, or none where it was not given', () => {
  expect(numberOption({ min: '0.5' }, 'min', 'a number')).toBe(0.5)
  expect(numberOption({ samples: '5' }, 'samples', 'a whole number above 0')).toBe(5)
  expect(numberOption({}, 'min', 'a number')).toBeUndefined()
})

test.each(['many', '', ' ', '-1', '0', '1.5'])('%o is no whole number above 0', (text) => {
  expect(() => numberOption({ samples: text }, 'samples', 'a whole number above 0')).toThrow(
    `--samples takes a whole number above 0, not "${text}".`,
  )
})
