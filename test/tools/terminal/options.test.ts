import { expect, test } from 'vitest'
import { numberOption } from '../../../src/tools/terminal/options.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

const WHOLE = 'a whole number above 0'

test('an option gives a number, or none where it was not given', () => {
  expect(numberOption({ min: '0.5' }, 'min', 'a number')).toBe(0.5)
  expect(numberOption({ samples: '5' }, 'samples', WHOLE)).toBe(5)
  expect(numberOption({}, 'min', 'a number')).toBeUndefined()
})

test.each(['many', '', ' ', '-1', '0', '1.5'])('%o is refused where a count is needed', (text) => {
  const read = (): unknown => numberOption({ samples: text }, 'samples', WHOLE)
  expect(read).toThrow(coded('invalid-command'))
  expect(read).toThrow('--samples')
  expect(read).toThrow(`"${text}"`)
})

test('a refused number names the option, the value, and the numbers that it takes', async () => {
  const read = (): unknown => numberOption({ samples: '1.5' }, 'samples', WHOLE)
  await expectGolden(await failureOf(read), 'no-whole-number')
})
