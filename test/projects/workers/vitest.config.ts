import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { UPSTREAM = '', WORD = 'Hello', RECORD = '' } = process.env
const bindings = {
  OPENAI_BASE_URL: `${UPSTREAM}/v1`,
  OPENAI_API_KEY: 'sk-of-a-worker',
  WORD,
  RECORD,
}
const compatibilityDate = '2026-10-01'

function workers(name: string, file: string, options: object) {
  const miniflare = {
    compatibilityDate,
    compatibilityFlags: ['nodejs_compat'],
    bindings,
    ai: { binding: 'AI' },
    durableObjects: { CHATS: 'Chat' },
    serviceBindings: { BESIDE: 'beside' },
    workers: [
      { name: 'beside', modules: true, compatibilityDate, scriptPath: './src/beside.js', bindings },
    ],
    ...options,
  }
  return {
    extends: true,
    plugins: [cloudflareTest({ main: './src/index.ts', miniflare })],
    // The first test loads the Worker, with its SDK.
    test: { name, include: [file], testTimeout: 60_000 },
  } as const
}

export default defineConfig({
  plugins: [cassettes()],
  test: {
    projects: [
      workers('workers', '*.worker.test.ts', {}),
      workers('outbound', 'outbound.test.ts', {
        outboundService: ({ method, url }: Request) => new Response(`${method} ${url}`),
      }),
      { extends: true, test: { name: 'node', include: ['node.test.ts'] } },
    ],
  },
})
