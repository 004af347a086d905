import { expect, test, vi } from 'vitest'

test('a stub answers for a service that is no model', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ price: 7 }))
  const response = await fetch('https://shop.example.com/price', { method: 'POST', body: '{}' })
  expect(await response.json()).toEqual({ price: 7 })
  vi.unstubAllGlobals()
})
