import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { HOSTS, PRICES } = process.env

export default defineConfig({
  plugins: [
    cassettes({ hosts: HOSTS?.split(','), prices: PRICES ? JSON.parse(PRICES) : undefined }),
  ],
})
