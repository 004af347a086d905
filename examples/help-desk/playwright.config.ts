import { defineConfig } from '@playwright/test'
import { cassetteEnv } from 'vitest-cassette/playwright'
import { STAND_IN } from './test/stand-in.ts'

const url = `http://127.0.0.1:${process.env.PORT ?? 4042}`

export default defineConfig({
  testDir: 'e2e',
  // The package is linked here. Playwright would compile it, as it does all that is outside of node_modules.
  build: { external: ['**/dist/**'] },
  use: { baseURL: url, launchOptions: { executablePath: process.env.CHROMIUM } },
  webServer: {
    command: `node node_modules/next/dist/bin/next start -p ${new URL(url).port}`,
    url,
    env: { ...cassetteEnv(), ...STAND_IN },
  },
})
