import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import { request as undiciRequest } from 'undici'

/** A request of any client. */
export interface Sent {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | undefined
}

type Send = (sent: Sent) => Promise<string>

/** Sends a request, and resolves to the body of its response. */
export const clients: Record<string, Send> = {
  async fetch({ url, method = 'POST', headers, body }) {
    const options = { method, headers, body }
    return (await fetch(url, options)).text()
  },
  'node:http'({ url, method = 'POST', headers, body }) {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      request(url, { method, headers: { ...headers, ...length } }, (response) =>
        resolve(text(response)),
      )
        .on('error', reject)
        .end(body)
    })
  },
  async axios({ url, method = 'POST', headers, body }) {
    const { data } = await axios({
      url,
      method,
      headers,
      data: typeof body === 'object' ? Buffer.from(body) : body,
      responseType: 'text',
      validateStatus: () => true,
    })
    return data
  },
  async got({ url, method = 'POST', headers, body }) {
    const options = {
      method,
      headers,
      throwHttpErrors: false,
      allowGetBody: true,
      retry: { limit: 0 },
    }
    const given = typeof body === 'object' ? Buffer.from(body) : body
    return (await got(url, { ...options, ...(given ? { body: given } : {}) } as never)).body
  },
  async undici({ url, method = 'POST', headers, body }) {
    const response = await undiciRequest(url, { method, headers, body } as never)
    return response.body.text()
  },
  async child(sent) {
    const program = `const { url, method = 'POST', headers, body } = JSON.parse(process.env.SENT)
      process.stdout.write(await (await fetch(url, { method, headers, body })).text())`
    const env = { ...process.env, SENT: JSON.stringify(sent) }
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env })
    return text(child.stdout)
  },
  async http2({ url, method = 'POST', headers, body }) {
    const { origin, pathname, search } = new URL(url)
    const session = connect(origin)
    try {
      return await new Promise<string>((resolve, reject) => {
        session.on('error', reject)
        const stream = session.request(
          { ':method': method, ':path': pathname + search, ...headers },
          { endStream: false },
        )
        stream.on('error', reject).end(body)
        resolve(text(stream))
      })
    } finally {
      session.destroy()
    }
  },
}
