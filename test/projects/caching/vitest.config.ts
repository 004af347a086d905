import { cachingSettings, cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const settings = JSON.parse(process.env.SETTINGS ?? '{}')

export default defineConfig({
  plugins: [cassettes({ ...cachingSettings(settings), maxFailures: 1 })],
})
