import { request as requestByHttp, type IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { request as requestByHttps } from 'node:https'
import { connect as connectByNet } from 'node:net'
import { text } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import OpenAI from 'openai'
import { Agent, fetch as undiciFetch, interceptors, request as undiciRequest } from 'undici'

/** Asks at an address, goes where the answer leads, and gives the text that is there. */
type Client = (url: string, body: Record<string, any>) => Promise<string>

const headers = { 'content-type': 'application/json' }

export const clients: Record<string, Client> = {
  async fetch(url, body) {
    return (await fetch(url, post(body))).text()
  },
  async 'fetch of a Request'(url, body) {
    return (await fetch(new Request(url, post(body)))).text()
  },
  async 'fetch, by hand'(url, body) {
    return byHand(url, post(body), async (url, init) => {
      const { status, headers, ...response } = await fetch(url, init).then(readResponse)
      return { status, location: headers.get('location'), text: response.text }
    })
  },
  async undici(url, body) {
    return (await undiciFetch(url, post(body))).text()
  },
  async 'undici request'(url, body) {
    const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }))
    return (await undiciRequest(url, { ...post(body), dispatcher })).body.text()
  },
  async axios(url, body) {
    return (await axios.post(url, body, { responseType: 'text' })).data
  },
  async got(url, body) {
    return got.post(url, { json: body, retry: { limit: 0 } }).text()
  },
  async 'node-fetch'(url, body) {
    return (await nodeFetch(url, post(body))).text()
  },
  async 'node:http'(url, body) {
    return byHand(url, post(body), async (url, init) => {
      const response = await askByHttp(url, init)
      const { statusCode, headers } = response
      return { status: statusCode!, location: headers.location, text: await text(response) }
    })
  },
  async HTTP2(url, body) {
    return byHand(url, post(body), askByHttp2)
  },
  async OpenAI(url, body) {
    const openai = new OpenAI({ baseURL: url.replace('/chat/completions', '') })
    return (await openai.post('/chat/completions', { body }).asResponse()).text()
  },
  async Anthropic(url, body) {
    // The version counts, and each release of the SDK may send another.
    const defaultHeaders = { 'anthropic-version': '2023-06-01' }
    const anthropic = new Anthropic({ baseURL: url.replace('/v1/messages', ''), defaultHeaders })
    return (await anthropic.post('/v1/messages', { body }).asResponse()).text()
  },
  /** Speaks no HTTP at all where it is led. */
  async 'node:net'(url, body) {
    const { headers } = await fetch(url, { ...post(body), redirect: 'manual' })
    const { hostname, port } = new URL(headers.get('location')!)
    return text(connectByNet(Number(port), hostname).end('HELO'))
  },
  /** What is no redirect is asked for by an application that looks after its job. */
  async poll(url, body) {
    const response = await fetch(url, post(body))
    const { urls } = (await response.json()) as { urls?: { get: string } }
    return (await fetch(urls?.get ?? response.headers.get('location')!)).text()
  },
}

interface Post {
  method: string
  headers: Record<string, string>
  body?: string
}

interface Answered {
  status: number
  location?: string | null
  text: string
}

function post(body: object): Post {
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

async function byHand(
  url: string,
  init: Post,
  ask: (url: string, init: Post & { redirect: 'manual' }) => Promise<Answered>,
): Promise<string> {
  const { status, location, text } = await ask(url, { ...init, redirect: 'manual' })
  if (!location) return text
  const next = status < 304 ? { method: 'GET', headers: {} } : init
  return byHand(new URL(location, url).href, next, ask)
}

async function readResponse(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function askByHttp(url: string, { method, headers, body }: Post): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, resolve).on('error', reject).end(body)
  })
}

function askByHttp2(url: string, { method, body }: Post): Promise<Answered> {
  const { origin, pathname, search } = new URL(url)
  const session = connect(origin)
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({ ':method': method, ':path': pathname + search })
    stream.on('error', reject)
    stream.on('response', async ({ ':status': status, location }) => {
      resolve({ status: status!, location, text: await text(stream) })
      session.close()
    })
    stream.end(body)
  })
}
