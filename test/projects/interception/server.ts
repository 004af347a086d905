import { http, HttpResponse, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

/** A server of the user's own, for a service that is no model. */
export const server = setupServer(
  http.get('https://shop.example.com/price', () => HttpResponse.json({ price: 7 })),
)

/** What a user who treats every other request as an error lets through. */
export const modelCalls = http.all('*/v1/chat/completions', () => passthrough())

// At the top, so that the order of the set-up files is the order of listening.
server.listen({ onUnhandledFrame: 'bypass' })
beforeAll(() => {})
afterEach(() => server.resetHandlers())
afterAll(() => server.close())
