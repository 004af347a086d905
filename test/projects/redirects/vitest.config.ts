import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { API } = process.env

// The host that an answer of the API leads to is in no list.
export default defineConfig({
  plugins: [cassettes(API ? { hosts: [API] } : {})],
  test: { testTimeout: 10_000, sequence: { concurrent: 'CONCURRENT' in process.env } },
})
