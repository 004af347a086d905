import { mergeTests, test as base } from '@playwright/test'
import { expect, test as cassetteTest } from 'vitest-cassette/playwright'

const test = mergeTests(base.extend<{ asker: string }>({ asker: 'I am' }), cassetteTest)
test.use({ cassetteOptions: { unordered: false } })

// No browser: what is tested with the fixture `request` alone.
test.describe('the interface', () => {
  for (const name of ['Cleo', 'Dan'])
    test(`answers ${name}`, async ({ asker, request, cassette }) => {
      if (process.env.SILENT) return
      const response = await request.get(`/ask?q=${asker} ${name}`)
      expect(await response.text()).toBe(`You said: I am ${name}`)
      expect(cassette.exchanges).toHaveLength(1)
    })

  test('does not do yet what it should', async ({ request }) => {
    test.fail()
    const response = await request.get('/ask?q=Later')
    expect(await response.text()).toBe('Done')
  })
})
