import { expect, test } from 'vitest'
import { reportOutsideTest } from '../../../../src/transports/intercept/context/report-outside-test.ts'

test('a request of no test fails the run, with what to do and where it was made', async () => {
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  const failed = new Promise<Error>((resolve) => process.once('unhandledRejection', resolve))
  const request = { method: 'POST', url: 'https://api.openai.com/v1/responses' }
  const text = reportOutsideTest({ ...request, body: { kind: 'empty' } }, new Error('the call'))
  const error = await failed
  for (const listener of listeners) process.on('unhandledRejection', listener)

  expect(text).toContain('POST https://api.openai.com/v1/responses was asked outside of every test')
  expect(text).toContain('await the request in the test that starts it')
  expect(text).toContain('plugins: [cassettes()]')
  expect(error).toMatchObject({ code: 'outside-test', message: text })
  expect(error.stack).toContain('report-outside-test.test.ts')
})
