import { summarize } from './named.mjs'

Deno.test('has a fallback', async () => {
  await summarize('a report')
})
