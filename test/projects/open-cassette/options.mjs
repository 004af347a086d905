// Asks with the options that the environment names, and tells how its cassette was closed.
import { openCassette } from 'vitest-cassette/open-cassette'
import { byFetch } from './ask.mjs'

const { OPTIONS = '{}', PROPOSE, KILL } = process.env
const options = JSON.parse(OPTIONS)
const propose = async () => (await byFetch('{"name":"Ada Lovelace"}')).choices[0].message.content
if (PROPOSE) options.params = { strategy: 'llm', propose }
const cassette = openCassette({ path: 'cassettes/options.json', ...options })
await byFetch('Who is Ada Lovelace?')
if (KILL) process.kill(process.pid, 'SIGKILL')
const errors = []
await cassette.close().catch(({ code, message }) => errors.push(code, message))
console.log(JSON.stringify({ errors }))
