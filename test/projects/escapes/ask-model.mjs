// Asks a model on a host that nobody listed, and swallows what comes of it.
import http2 from 'node:http2'

const [, , host, protocol] = process.argv
const path = '/v1/chat/completions'
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'secret' }] })

if (protocol === 'h2') {
  const session = http2.connect(`http://${host}`).on('error', () => {})
  try {
    session
      .request({ ':method': 'POST', ':path': path })
      .on('error', () => {})
      .end(body)
  } catch {
    session.destroy()
  }
} else {
  const headers = { authorization: 'Bearer secret' }
  await fetch(`http://${host}${path}`, { method: 'POST', headers, body }).catch(() => {})
}
