import { openCassette } from 'vitest-cassette/open-cassette'
import { summarize } from './app.mjs'

try {
  const cassette = openCassette({ path: 'opened/program.json' })
  await summarize('a report')
  await cassette.close()
} catch (error) {
  console.log(error.message)
  process.exitCode = 1
}
