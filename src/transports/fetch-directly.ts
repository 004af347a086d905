import { web } from '../real/web.ts'
import { Readable } from 'node:stream'
import { WITHOUT_BODY } from '../cassette/patterns.ts'
import type { WholeRequest } from './intercept/call/whole-request.ts'
import { HOST_HEADER, headersOf, otherHost } from './intercept/http/headers.ts'
import { runInScope } from './scope.ts'
import { withoutHopHeaders } from './intercept/http/fetch-past-interception.ts'
import { dialHost } from './intercept/patch/dial.ts'
import { builtin } from '../real/builtin.ts'
import { inRealWorld } from '../real/real-world.ts'

/** Node frames the body of a GET, DELETE or OPTIONS by no header of its own. */
function framing(body: WholeRequest['body']): Array<[string, string]> {
  const length = Buffer.byteLength(body)
  return length > 0 ? [['content-length', String(length)]] : []
}

/**
 * Sends a request to an address of this machine, by a connection of its own: the program's environment, agents,
 * dispatchers and mocks would lead it through a proxy, with the prompt and the key in it.
 *
 * @param more headers for who is asked alone
 */
export function fetchDirectly(
  url: string,
  { method, url: meant, headers, body, signal }: WholeRequest,
  more: ReadonlyArray<[name: string, value: string]> = [],
): Promise<Response> {
  const address = new URL(url)
  const host = otherHost(meant, headers)
  const named: typeof more = host === undefined ? [] : [[HOST_HEADER, host]]
  const asked = runInScope('upstream', () =>
    inRealWorld(() =>
      builtin('node:http').request({
        method,
        host: address.hostname,
        port: address.port,
        path: address.pathname + address.search,
        headers: Object.fromEntries([
          ...withoutHopHeaders(headers),
          ...framing(body),
          ...named,
          ...more,
        ]),
        createConnection: () => dialHost(address, 80),
        ...(signal ? { signal } : {}),
      }),
    ),
  )
  return new Promise((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', (answer) => {
      const { statusCode: status = 502, statusMessage: statusText = '' } = answer
      const hasBody = !WITHOUT_BODY.includes(status)
      const content = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null
      if (!hasBody) answer.resume()
      resolve(new web.Response(content, { status, statusText, headers: headersOf(answer) }))
    })
    asked.end(typeof body === 'string' ? body : Buffer.from(body))
  })
}
