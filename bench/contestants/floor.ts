// The floor: a fetch that knows the answer before it is asked.
import {
  globalFetch,
  readAnswers,
  recordingFetch,
  respond,
  type Contestant,
} from '../contestant.ts'

export default {
  open(setting) {
    const answers = readAnswers(setting)
    let asked = 0
    globalThis.fetch = async () => respond(answers[asked++]!)
    return globalFetch()
  },
  record: recordingFetch,
} satisfies Contestant
