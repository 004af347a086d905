import { openCassette } from 'vitest-cassette/open-cassette'
import { ask } from './ask.mjs'

const cassette = openCassette({ path: 'program.json' })
await ask()
await cassette.close()
