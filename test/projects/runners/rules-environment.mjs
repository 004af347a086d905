import { TestEnvironment } from 'jest-environment-node'
import { withCassettes } from 'vitest-cassette/jest'

const findEmails = (text) => text.match(/\w+@corp\.test/g) ?? []

export default withCassettes(TestEnvironment, {
  volatile: [/req-\d+/],
  redact: [findEmails],
})
