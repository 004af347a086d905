import { defineConfig } from '@playwright/test'
import { cassetteEnv } from 'vitest-cassette/playwright'

const { PORT, AT_PORT, CASSETTE_PORT, ASK_BY_HEADER, CHROMIUM, PROXY } = process.env
const cassettePort = AT_PORT ? Number(CASSETTE_PORT) : undefined

export default defineConfig({
  testDir: 'e2e',
  workers: Number(process.env.WORKERS ?? (AT_PORT ? 1 : 2)),
  fullyParallel: true,
  reporter: 'line',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    cassettePort,
    // Of a browser that reaches all but the application by it.
    ...(PROXY ? { proxy: { server: PROXY, bypass: `127.0.0.1:${PORT}` } } : {}),
    launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] },
  },
  webServer: {
    command: 'node app-server.mjs',
    url: `http://127.0.0.1:${PORT}`,
    stdout: 'pipe',
    env: {
      OPENAI_API_KEY: 'sk-test-key-that-is-not-one',
      ...(ASK_BY_HEADER ? {} : cassetteEnv({ port: cassettePort })),
    },
  },
})
