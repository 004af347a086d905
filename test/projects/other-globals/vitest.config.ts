import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

/** A project for each world: a set-up file puts its globals in the places of Node's. */
const worlds = [
  'node-fetch-3',
  'node-fetch-2',
  'undici',
  'polyfills',
  'subclasses',
  'streams',
  'abort-controller',
  'everything',
]

export default defineConfig({
  test: {
    projects: [
      ...worlds.map((name) => ({
        plugins: process.env.PLAIN ? [] : [cassettes()],
        test: {
          name,
          pool: name === 'everything' ? 'threads' : 'forks',
          include: ['asks.test.ts'],
          setupFiles: ['./worlds.ts'],
          env: { WORLD: name },
        },
      })),
      {
        plugins: process.env.PLAIN ? [] : [cassettes()],
        test: {
          name: 'xhr',
          include: ['asks.test.ts'],
          environment: 'jsdom',
          setupFiles: ['./worlds.ts'],
          env: { WORLD: 'whatwg-fetch' },
        },
      },
      {
        plugins: process.env.PLAIN ? [] : [cassettes()],
        test: { name: 'in-tests', include: ['in-tests.test.ts'] },
      },
    ],
  },
})
