import http from 'node:http'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'

/** The fetch and the Request that were there when the first module loaded: some libraries keep them. */
const { fetch: keptFetch, Request: KeptRequest } = globalThis

export const address = `${process.env.ODD_URL}/v1/chat/completions`

export function post(question: string) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: question }] }),
  }
}

/** The text of a response of any make. */
async function textOf(response: any): Promise<string> {
  if (!(response instanceof Response) && globalThis.fetch !== keptFetch)
    throw new Error(`${response.constructor.name} is no Response of this world`)
  return response.text()
}

/** What cannot ask in a world even where nothing intercepts it. */
const unable: Record<string, RegExp> = {
  polyfills: /fetch with a Request/,
  'whatwg-fetch': /fetch that was kept|undici/,
  streams: /undici.fetch/,
  everything: /fetch with a Request|undici.fetch/,
}

/** The clients that can ask in this world. */
export const names = (): string[] =>
  Object.keys(clients).filter((name) => !unable[process.env.WORLD!]?.test(name))

/** Each asks a question, and gives the text of the answer. */
export const clients: Record<string, (question: string) => Promise<string>> = {
  fetch: async (question) => textOf(await fetch(address, post(question))),
  'fetch with Headers': async (question) => {
    const { headers, ...rest } = post(question)
    return textOf(await fetch(address, { ...rest, headers: new Headers(headers) }))
  },
  'fetch with a Request': async (question) => {
    // Node's own fetch takes only Node's own requests.
    const Made = fetch === keptFetch ? KeptRequest : Request
    return textOf(await fetch(new Made(address, post(question))))
  },
  'fetch that was kept': async (question) => (await keptFetch(address, post(question))).text(),
  'node:http': (question) =>
    new Promise((resolve, reject) => {
      const { body, ...options } = post(question)
      http
        .request(address, options, async (response) => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve(text)
        })
        .on('error', reject)
        .end(body)
    }),
  axios: async (question) => {
    const { body, headers } = post(question)
    return (
      await axios.post(address, body, {
        headers,
        adapter: 'http',
        responseType: 'text',
        transformResponse: (text) => text,
      })
    ).data
  },
  got: async (question) =>
    got
      .post(address, {
        body: post(question).body,
        headers: post(question).headers,
        retry: { limit: 0 },
      })
      .text(),
  'undici.request': async (question) =>
    (await undici.request(address, post(question) as object)).body.text(),
  'undici.fetch': async (question) => (await undici.fetch(address, post(question))).text(),
}
