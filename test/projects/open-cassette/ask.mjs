import http from 'node:http'
import { json } from 'node:stream/consumers'

const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`

const bodyOf = (content) =>
  JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })

export const byFetch = async (content) =>
  (await fetch(url, { method: 'POST', body: bodyOf(content) })).json()

export const byHttp = (content) =>
  new Promise((resolve, reject) => {
    http
      .request(url, { method: 'POST' }, (response) => resolve(json(response)))
      .on('error', reject)
      .end(bodyOf(content))
  })
