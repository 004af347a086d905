import { openCassette } from 'vitest-cassette/open-cassette'

try {
  openCassette({ path: 'opened/none.json' })
} catch (error) {
  console.log(error.message)
}
