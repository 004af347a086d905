// The server with a cassette of its own: a process that a test starts does not share that of the test.
import { openCassette } from 'vitest-cassette/open-cassette'

const cassette = openCassette({ path: process.env.CASSETTE!, volatile: ['chat-id'] })
process.stdin.on('end', () => void cassette.close())
await import('../src/main.ts')
