import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Every run makes new chat ids, and sends them as `prompt_cache_key`.
  plugins: [cassettes({ volatile: ['chat-id'] })],
  // The stand-in that cassettes are recorded from: see test/record.ts. Without it, that is OpenAI.
  // Some tests start processes, which is slow on a busy machine.
  test: { env: { OPENAI_BASE_URL: 'http://127.0.0.1:4010/v1' }, testTimeout: 30_000 },
})
