import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { MAX_BYTES } = process.env

export default defineConfig({
  plugins: [cassettes(MAX_BYTES ? { maxCassetteBytes: Number(MAX_BYTES) } : {})],
})
