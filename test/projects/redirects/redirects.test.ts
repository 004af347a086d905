import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { clients } from './clients.ts'

interface Case {
  title: string
  client: string
  url: string
  body: object
  /** What the application is to get; where it is absent, the application does not care. */
  answer?: string
}

for (const { title, client, url, body, answer } of JSON.parse(
  readFileSync('cases.json', 'utf8'),
) as Case[])
  test(title, async ({ expect }) => {
    const got = await clients[client]!(url, body).catch((error: Error) => error.message)
    if (answer !== undefined) expect(got).toBe(answer)
  })
