import type { TestCassette } from './test-cassette.ts'

/** The options of {@link codexConfig}. Each has a default. */
export interface CodexOptions {
  /**
   * The base URL that Codex would use.
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
 * The configuration with which Codex asks the cassette of a test, since Codex reads no base URL from its environment.
 * It selects HTTP, as the built-in provider of Codex first tries WebSockets for some seconds.
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

/** The part of Codex's configuration that selects its provider. */
export interface CodexConfig {
  model_provider: string
  model_providers: Record<string, Record<string, string | boolean>>
  // Codex accepts any other key.
  [key: string]: unknown
}
