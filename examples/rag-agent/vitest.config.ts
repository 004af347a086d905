import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    cassettes({
      // The vector store and the search. Of the services themselves: ['*.cloud.qdrant.io', 'api.search.brave.com']
      hosts: ['127.0.0.1:4021', '127.0.0.1:4022'],
      // In replay nothing else leaves this machine either.
      network: 'closed',
    }),
  ],
  // The stand-ins that cassettes are recorded from: see test/record.ts. Without them, that are the services.
  test: {
    env: {
      OPENAI_BASE_URL: 'http://127.0.0.1:4020/v1',
      QDRANT_URL: 'http://127.0.0.1:4021',
      SEARCH_URL: 'http://127.0.0.1:4022',
    },
  },
})
