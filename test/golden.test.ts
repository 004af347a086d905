import { expect, test } from 'vitest'
import { CassetteError } from '../src/errors.ts'
import { coded, expectGolden, failureOf } from './golden.ts'

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
