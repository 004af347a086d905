// The least that a correct tool must do: read the request, hash it, look it up.
import { hash } from 'node:crypto'
import { globalFetch, readAnswers, respond, type Contestant } from '../contestant.ts'

export default {
  open(setting) {
    const answers = readAnswers(setting)
    let asked = 0
    globalThis.fetch = async (_input, init) => {
      const body = String(init?.body)
      JSON.parse(body)
      hash('sha256', body)
      return respond(answers[asked++]!)
    }
    return globalFetch()
  },
} satisfies Contestant
