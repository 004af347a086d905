import { expect, test } from 'vitest'
import { reportOutsideTest } from '../../../../src/transports/intercept/context/report-outside-test.ts'
import { expectGolden } from '../../../golden.ts'

test('a request of no test fails the run, with what to do and where it was made', async () => {
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  const failed = new Promise<Error>((resolve) => process.once('unhandledRejection', resolve))
  const request = { method: 'POST', url: 'https://api.openai.com/v1/responses' }
  const text = reportOutsideTest({ ...request, body: { kind: 'empty' } }, new Error('the call'))
  const error = await failed
  for (const listener of listeners) process.on('unhandledRejection', listener)

  for (const fact of [`POST ${request.url}`, 'plugins: [cassettes()]']) expect(text).toContain(fact)
  await expectGolden(text, 'outside-test')
  expect(error).toMatchObject({ code: 'outside-test', message: text })
  expect(error.stack).toContain('report-outside-test.test.ts')
})
