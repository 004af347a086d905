// The same at the socket: the application took its fetch before the cassette was opened.
import { globalFetch, type Contestant } from '../contestant.ts'
import cassette from './vitest-cassette.ts'

export default {
  ...cassette,
  open(setting) {
    const before = globalFetch()
    return { ...cassette.open(setting), ...before }
  },
  record(setting) {
    const { fetch } = globalThis
    return { ...cassette.record(setting), fetch }
  },
} satisfies Contestant
