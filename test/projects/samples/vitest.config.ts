import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [cassettes()] })
