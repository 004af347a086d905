import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [cassettes({ network: process.env.NETWORK === 'closed' ? 'closed' : 'open' })],
  test: { include: ['*.test.ts'], testTimeout: 30_000 },
})
