import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

// On a host that is no provider's, polls and downloads would pass for a server of the tests.
export default defineConfig({
  plugins: [cassettes({ hosts: [new URL(process.env.UPSTREAM!).host] })],
  test: { isolate: false, maxWorkers: 1 },
})
