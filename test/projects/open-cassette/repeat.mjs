// Asks word for word what is recorded, and tells what was loaded for it.
import { registerHooks } from 'node:module'

const loaded = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  },
})
const { openCassette } = await import('vitest-cassette/open-cassette')
const { byFetch, byHttp } = await import('./ask.mjs')
const cassette = openCassette({ path: 'cassettes/first.json' })
const answers = []
for (const ask of [byFetch, byHttp]) {
  const { choices } = await ask(`first ${ask.name}`)
  answers.push(choices[0].message.content)
}
await cassette.close()
console.log(JSON.stringify({ answers, loaded }))
