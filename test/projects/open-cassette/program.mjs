import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import { openCassette } from 'vitest-cassette/open-cassette'
import { byFetch, byHttp } from './ask.mjs'

const { CHANGED = '' } = process.env

/** Everything that is replaced while a cassette is open. */
const globals = () => [
  globalThis.fetch,
  globalThis.WebSocket,
  http.request,
  http.Agent.prototype.addRequest,
  http2.connect,
  net.Socket.prototype.connect,
  dns.lookup,
]

const before = globals()
const told = { answers: [], errors: [] }
for (const name of ['first', 'second']) {
  const cassette = openCassette({ path: `cassettes/${name}.json` })
  try {
    openCassette({ path: 'cassettes/third.json' })
  } catch (error) {
    told.errors.push(error.code)
  }
  for (const ask of [byFetch, byHttp]) {
    const answer = await ask(`${name} ${ask.name}${name === 'second' ? CHANGED : ''}`)
    told.answers.push(answer.choices?.[0].message.content ?? answer.error.message.split('\n')[0])
  }
  told[name] = cassette.exchanges.map(({ source }) => source)
  await cassette.close().catch((error) => told.errors.push(error.message))
  told.restored = globals().every((value, at) => value === before[at])
}
console.log(JSON.stringify(told))
