import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { OPTIONS, PROJECTS } = process.env

/** Two projects run the same files and share their cassettes; the third has a root of its own. */
const projects = [
  { extends: true as const, test: { name: 'one', env: { PLACE: 'one' } } },
  { extends: true as const, test: { name: 'two', env: { PLACE: 'two' } } },
  { extends: true as const, root: './packages/two', test: { name: 'three' } },
]

export default defineConfig({
  plugins: [cassettes(JSON.parse(OPTIONS ?? '{}'))],
  // Which process runs a file says nothing of its cassettes, and each takes as long to start as all tests to run.
  test: {
    isolate: false,
    maxWorkers: 1,
    exclude: ['packages/**', 'node_modules/**'],
    ...(PROJECTS ? { projects } : {}),
  },
})
