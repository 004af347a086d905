import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const isImported = process.env.SETUP === 'import'

export default defineConfig({
  plugins: isImported
    ? []
    : [cassettes({ allowHosts: [process.env.ALLOWED ?? 'allowed.example'] })],
  test: { setupFiles: isImported ? ['vitest-cassette/setup'] : [] },
})
