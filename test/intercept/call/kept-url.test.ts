import { expect, test, vi } from 'vitest'
import { STAND_IN_KEY } from '../../../src/config/stand-in-keys.ts'
import { keptUrl } from '../../../src/intercept/call/kept-url.ts'

const ADDRESS = 'https://llm.example.com/v1/ask'

test('a credential of this machine is kept nowhere, whatever the parameter is called', () => {
  vi.stubEnv('SOME_API_KEY', 'value-of-this-machine')
  vi.stubEnv('SOME_REGION', 'region-of-this-machine')
  const kept = keptUrl(`${ADDRESS}?pass_on=value-of-this-machine`)
  expect(kept).toBe(keptUrl(`${ADDRESS}?pass_on=${STAND_IN_KEY}`))
  expect(kept).toBe(`${ADDRESS}?pass_on=REDACTED`)
  expect(keptUrl(`${ADDRESS}?pass_on=region-of-this-machine`)).not.toBe(kept)
  vi.unstubAllEnvs()
})

test('any other value counts by its digest', () => {
  const kept = keptUrl(`${ADDRESS}?keyword=one`)
  expect(kept).toMatch(/\?keyword=[0-9a-f]{12}$/)
  expect(kept).not.toBe(keptUrl(`${ADDRESS}?keyword=other`))
})
