import { runInNewContext } from 'node:vm'
import type { CassetteOptions } from 'vitest-cassette/plugin'

const ofAnotherRealm = (expression: string): RegExp => runInNewContext(expression) as RegExp

/** One value at least of each kind that an option can have. */
export const given: CassetteOptions = {
  volatile: ['uuid', '$.metadata.run', /REQ-\d+/giu, ofAnotherRealm(String.raw`/LOT-\p{Lu}+/u`)],
  redact: [/[a-z]+@corp\.test/i, ofAnotherRealm(String.raw`/ACCT\/\d+(?=\b)/y`)],
  faults: ['delay 1ms', { status: 503, times: Infinity, retryAfter: 0, on: 'exchange-4' }],
  hosts: ['localhost:9', '*.example.com'],
  allowHosts: ['api.smith.langchain.com'],
  mcp: ['weather'],
  network: 'closed',
  images: { match: 'phash', threshold: 3, region: undefined },
  prices: { 'my-model': { input: 0.1, output: 1e-7, cacheRead: undefined } },
  params: { strategy: 'preset' },
  retiredModels: ['gpt-2*'],
  maxAge: '9000 days',
  maxFailures: 99,
  maxCassetteBytes: 1_000_000,
  followLinks: true,
  pace: 1,
  keys: true,
  unused: 'warn',
  orphans: 'warn',
  repeats: 'cycle',
  unordered: false,
  recordErrors: true,
  compileCache: false,
  invalid: 'warn',
  report: undefined,
}
