// Fails before it has asked all that is recorded, in both ways to close a cassette.
import { openCassette } from 'vitest-cassette/open-cassette'

const open = () => openCassette({ path: 'cassettes/first.json' })

const told = {}
try {
  await using cassette = open()
  void cassette
  throw new Error('no such file')
} catch (error) {
  told.using = [error.constructor.name, error.suppressed.message, error.error.code]
}
try {
  const cassette = open()
  try {
    throw new Error('no such file')
  } finally {
    await cassette.close()
  }
} catch (error) {
  told.finally = error.message
}
console.log(JSON.stringify(told))
