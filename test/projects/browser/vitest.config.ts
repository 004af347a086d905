import { playwright } from '@vitest/browser-playwright'
import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [cassettes()],
  define: {
    UPSTREAM: JSON.stringify(process.env.UPSTREAM),
    WORD: JSON.stringify(process.env.WORD ?? 'Hello'),
  },
  test: {
    includeTaskLocation: true,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          executablePath: process.env.CHROMIUM,
          args: ['--no-sandbox', '--disable-gpu'],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
