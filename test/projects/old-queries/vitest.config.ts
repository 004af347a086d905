import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [cassettes({ hosts: ['127.0.0.1:4022'] })] })
