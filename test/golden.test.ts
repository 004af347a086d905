import { expect, test } from 'vitest'
import { CassetteError } from '../src/errors.ts'
import { coded, expectGolden, failureOf, failuresOf } from './golden.ts'

const fail = (): never => {
  throw new CassetteError('miss', 'It is not recorded in /tmp/one.')
}

test('a text is compared with its golden file, whatever folder it was made in', async () => {
  await expectGolden(await failureOf(fail), 'failure', { '/tmp/one': '<folder>' })
})

test('a failure is known by its code alone', async () => {
  expect(fail).toThrow(coded('miss'))
  expect(() => expect(fail).toThrow(coded('secret'))).toThrow(Error)
  await expect(failureOf(() => {})).rejects.toThrow('Nothing failed.')
  const defect = new TypeError('a defect')
  await expect(failureOf(() => Promise.reject(defect))).rejects.toBe(defect)
})

test('several failures stand below their titles, and each of them has to fail', async () => {
  const secret = () => Promise.reject(new CassetteError('secret', 'A key.'))
  expect(
    await failuresOf([
      ['one', fail],
      ['two', secret],
    ]),
  ).toBe('# one\nmiss\n\nIt is not recorded in /tmp/one.\n\n# two\nsecret\n\nA key.\n')
  await expect(
    failuresOf([
      ['one', fail],
      ['two', () => {}],
    ]),
  ).rejects.toThrow('Nothing failed.')
})
