import type { BrowserContext } from '@playwright/test'
import type { Attempt } from '../host/attempt.ts'
import { judgeUrl } from '../intercept/call/llm-call.ts'
import { addressOfCaught } from '../intercept/redirect/address.ts'

/** Lets the gateway answer the LLM calls of pages. A page gets an answer once it is complete. */
export async function routePages(
  context: BrowserContext,
  attempt: Attempt,
  base: string,
): Promise<void> {
  await context.route(
    (url) => judgeUrl('POST', url.href, attempt.config) !== 'no',
    async (route) => {
      const url = addressOfCaught(base, route.request().url())
      const response = await route.fetch({ url, maxRedirects: 0, timeout: 0 })
      await route.fulfill({ response })
    },
  )
}
