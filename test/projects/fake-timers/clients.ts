import { request as byNode } from 'node:http'
import { request as byUndici } from 'undici'

const url = `${process.env.UPSTREAM}/v1/chat/completions`

function bodyOf(content: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
}

/** Each asks, and reads the answer to its end. */
export const clients: Record<string, (content: string) => Promise<string>> = {
  async fetch(content) {
    return (await fetch(url, { method: 'POST', body: bodyOf(content) })).text()
  },
  async undici(content) {
    return (await byUndici(url, { method: 'POST', body: bodyOf(content) })).body.text()
  },
  node(content) {
    return new Promise((resolve, reject) => {
      byNode(url, { method: 'POST' }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(text)
      })
        .on('error', reject)
        .end(bodyOf(content))
    })
  },
  xhr(content) {
    return new Promise((resolve, reject) => {
      const call = new XMLHttpRequest()
      call.open('POST', url)
      call.onload = () => resolve(call.responseText)
      call.onerror = () => reject(new Error('No answer'))
      call.send(bodyOf(content))
    })
  },
}
