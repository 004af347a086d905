// Asks a model by the ways in which programs use a proxy, and swallows what goes wrong.
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { EnvHttpProxyAgent, fetch as fetchOfUndici, ProxyAgent, setGlobalDispatcher } from 'undici'

const { TARGET = 'http://127.0.0.1:59', CHANGED = '', PROXY } = process.env
const url = `${TARGET}/v1/chat/completions`

const optionsFor = (way) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-of-the-table' },
  body: JSON.stringify({
    model: 'gpt-5',
    messages: [{ role: 'user', content: `By ${way}${CHANGED}` }],
  }),
})

const byFetch = async (way, fetch = globalThis.fetch, more = {}) =>
  (await fetch(url, { ...optionsFor(way), ...more })).text()

const byRequest = (way, more = {}) =>
  new Promise((resolve, reject) => {
    const { body, ...rest } = optionsFor(way)
    const { request } = url.startsWith('https:') ? https : http
    request(url, { ...rest, ...more }, (response) => resolve(text(response)))
      .on('error', reject)
      .end(body)
  })

/** As global-agent does: all requests take an agent with the proxy, whatever they ask for. */
function replaceAgents() {
  for (const module of [http, https]) {
    const { request } = module
    module.request = (to, options, done) =>
      request(to, { ...options, agent: new HttpsProxyAgent(PROXY) }, done)
  }
}

const ways = {
  fetch: byFetch,
  request: byRequest,
  agent: (way) => byRequest(way, { agent: new HttpsProxyAgent(PROXY) }),
  undici: (way) => byFetch(way, fetchOfUndici, { dispatcher: new ProxyAgent(PROXY) }),
  undiciGlobal: (way) => byFetch(way, fetchOfUndici),
  globalAgent: (way) => {
    replaceAgents()
    return byRequest(way)
  },
  globalProxy: (way) => {
    setGlobalDispatcher(new ProxyAgent(PROXY))
    return byFetch(way)
  },
  globalEnv: (way) => {
    setGlobalDispatcher(new EnvHttpProxyAgent())
    return byFetch(way)
  },
}

export const names = Object.keys(ways)

export const ask = (way) => ways[way](way).catch((error) => `failed: ${error.cause ?? error}`)

const way = isMainThread ? process.argv[1]?.endsWith('ask.mjs') && process.argv[2] : workerData
if (way && ways[way]) {
  const answer = await ask(way)
  if (isMainThread) console.log(answer)
  else parentPort.postMessage(answer)
}
