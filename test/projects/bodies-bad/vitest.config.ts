import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

// A redirect can lead to a path that says nothing of a model.
export default defineConfig({
  plugins: [cassettes({ hosts: [new URL(process.env.ODD_URL!).host] })],
})
