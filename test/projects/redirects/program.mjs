import { readFileSync } from 'node:fs'
import { openCassette } from 'vitest-cassette/open-cassette'
import { clients } from './clients.ts'

const cases = JSON.parse(readFileSync('cases.json', 'utf8'))
const paths = JSON.parse(readFileSync('paths.json', 'utf8'))
process.env.OPENAI_API_KEY = process.env.ANTHROPIC_API_KEY = 'none'

for (const [index, { title, client, url, body, answer }] of cases.entries()) {
  const cassette = openCassette({ path: `__recordings__/${paths[index]}` })
  const got = await clients[client](url, body).catch((error) => error.message)
  const failure = await cassette.close().then(
    () => (answer === undefined || got === answer ? undefined : `got ${got}`),
    (error) => error.message,
  )
  console.log(JSON.stringify({ title, status: failure ? 'failed' : 'passed', failure }))
}
