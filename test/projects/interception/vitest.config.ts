import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

/** A project for each order in which set-up files can run. */
function project(name: string, setupFiles: string[]) {
  return { test: { name, include: [`${name}*.test.ts`], setupFiles } }
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [cassettes({ hosts: ['localhost'] })],
        test: { name: 'clients', include: ['clients*.test.ts'] },
      },
      project('early', ['./early.ts', './cassettes.ts']),
      project('msw-after', ['./cassettes.ts', './server.ts']),
      project('msw-before', ['./server.ts', './cassettes.ts']),
    ],
  },
})
