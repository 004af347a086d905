import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Attempt } from '../host/attempt.ts'
import { refuseTunnel } from '../intercept/guard/guard-tests.ts'
import { outsideOfMsw } from '../intercept/patch/outside-of-msw.ts'
import { runInScope } from '../intercept/context/scope.ts'

/**
 * Whose the proxy is that a program was told: its user is the token.
 *
 * @returns `undefined` where it names nobody
 */
export function tokenOfProxy({ headers }: IncomingMessage): string | undefined {
  const [, encoded] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
  return encoded && Buffer.from(encoded, 'base64').toString().split(':')[0]
}

/** Gives a program the tunnel that it wants; one to a provider is refused, and fails the test that started the program. */
export function openTunnel(
  attempt: Attempt,
  { url = '' }: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  client.on('error', () => {})
  const error = refuseTunnel(url, attempt)
  if (error) return void client.end(`HTTP/1.1 403 Refused\r\n\r\n${error.message}\n`)
  const { hostname, port } = new URL(`http://${url}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const server = runInScope('upstream', () =>
    outsideOfMsw(() => connect(Number(port) || 443, host)),
  )
  server.on('error', () => client.destroy())
  client.on('close', () => server.destroy())
  server.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.write(head)
    server.pipe(client).pipe(server)
  })
}
