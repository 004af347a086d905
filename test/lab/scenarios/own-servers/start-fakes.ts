import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    fake: string
  }
}

/** A fake of the suite in the process of the run. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { content: 'Fake of the run' } }] }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  project.provide('fake', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => void server.close()
}
