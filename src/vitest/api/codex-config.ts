import type { TestCassette } from './test-cassette.ts'

/** What {@link codexConfig} takes; all of it has a default. */
export interface CodexOptions {
  /**
   * Where Codex would ask.
   * @default `OPENAI_BASE_URL`, or else 'https://api.openai.com/v1'
   */
  baseUrl?: string
  /**
   * The variable in which Codex finds its key.
   * @default 'OPENAI_API_KEY'
   */
  envKey?: string
}

/**
 * The configuration by which Codex asks the cassette of a test: it reads no base URL from its environment. Over
 * HTTP, as its built-in provider first tries WebSockets for some seconds.
 *
 * @example
 * test('fixes the bug', async ({ cassette }) => {
 *   const codex = new Codex({ config: codexConfig(cassette) })
 * })
 */
export function codexConfig(
  cassette: Pick<TestCassette, 'baseUrl'>,
  { baseUrl, envKey = 'OPENAI_API_KEY' }: CodexOptions = {},
): CodexConfig {
  const upstream = baseUrl ?? process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1'
  return {
    model_provider: 'cassette',
    model_providers: {
      cassette: {
        name: 'cassette',
        base_url: cassette.baseUrl(upstream),
        env_key: envKey,
        wire_api: 'responses',
        requires_openai_auth: false,
        supports_websockets: false,
      },
    },
  }
}

/** The part of Codex's configuration that says whom it asks. */
export interface CodexConfig {
  model_provider: string
  model_providers: Record<string, Record<string, string | boolean>>
  // Codex takes any.
  [key: string]: unknown
}
