import { createServer } from 'node:net'
import { once } from 'node:events'

/** A port of this machine that nobody listens on now, for programs that want to be told one. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}
