import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** What was sent to a server of traces. */
export interface Sent {
  method: string
  path: string
  type: string
  body: Buffer
}

/** A server in the place of the collector, Langfuse, LangSmith and Braintrust, which keeps what they are sent. */
export class Receiver {
  readonly sent: Sent[] = []
  readonly #server: Server = createServer((request, response) => void this.#take(request, response))

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** What was sent since the last time. */
  take(): Sent[] {
    return this.sent.splice(0)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await buffer(request)
    const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
    const path = request.url!.split('?')[0]!
    this.sent.push({ method: request.method!, path, type, body: decoded(raw, encoding) })
    const host = `http://${request.headers.host}`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(ANSWERS[path]?.(host) ?? {}))
  }
}

function decoded(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(raw)
  if (encoding === 'deflate') return inflateSync(raw)
  return encoding === 'zstd' ? zstdDecompressSync(raw) : raw
}

/** What the SDKs need to be told before they send traces. */
const ANSWERS: Record<string, (host: string) => object> = {
  // LangSmith
  '/info': () => ({
    version: '0.12.0',
    batch_ingest_config: { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 2e7 },
  }),
  // Braintrust
  '/api/apikey/login': (host) => ({
    org_info: [{ id: 'org', name: 'org', api_url: host, proxy_url: host }],
  }),
  '/api/project/register': () => ({ project: { id: 'project', name: 'refunds' } }),
  '/version': () => ({ logs3_payload_max_bytes: null }),
}
