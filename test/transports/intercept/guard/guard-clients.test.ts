import { lookup, promises, resolve4 } from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { guardNames } from '../../../../src/transports/intercept/guard/guard-clients.ts'

const REFUSED = new Error('refused')

test.for(['127.0.0.1', 'localhost'])(
  'a server can listen at %s where each connection is refused',
  async (host) => {
    onTestFinished(guardNames(() => REFUSED))
    const server = createServer()
    onTestFinished(() => void server.close())
    await once(server.listen(0, host), 'listening')
    expect(server.listening).toBe(true)
  },
)

test('an address is its own, and is looked up where each connection is refused', async () => {
  onTestFinished(guardNames(() => REFUSED))
  await expect(promises.lookup('::1')).resolves.toEqual({ address: '::1', family: 6 })
})

test('the address of another host is not looked up where connections to it are refused', async () => {
  onTestFinished(guardNames(({ host }) => (host.includes('example') ? REFUSED : undefined)))
  const ask = promisify(lookup)
  await expect(ask('localhost.example')).rejects.toBe(REFUSED)
  await expect(ask('example-127.0.0.1')).rejects.toBe(REFUSED)
  await expect(promises.lookup('api.example')).rejects.toBe(REFUSED)
  await expect(promisify(resolve4)('api.example')).rejects.toBe(REFUSED)
})
