/** US dollars for a million tokens. */
export interface Price {
  input: number
  output: number
  /** @default the price of input */
  cacheRead?: number
  /** @default the price of input */
  cacheWrite?: number
}

/**
 * List prices of the providers in US dollars for a million tokens: standard tier, shortest context,
 * caches of five minutes. They change; `--prices` takes a table of your own.
 */
export const PRICES: { date: string; models: Record<string, Price> } = {
  date: '2026-02-01',
  models: {
    'gpt-5.2': { input: 1.75, output: 14, cacheRead: 0.175 },
    'gpt-5.2-pro': { input: 21, output: 168 },
    'gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125 },
    'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
    'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
    'gpt-5-pro': { input: 15, output: 120 },
    'gpt-5-codex': { input: 1.25, output: 10, cacheRead: 0.125 },
    'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cacheRead: 0.025 },
    'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
    'gpt-4-turbo': { input: 10, output: 30 },
    'gpt-4': { input: 30, output: 60 },
    'gpt-3.5-turbo': { input: 0.5, output: 1.5 },
    o1: { input: 15, output: 60, cacheRead: 7.5 },
    'o1-mini': { input: 1.1, output: 4.4, cacheRead: 0.55 },
    o3: { input: 2, output: 8, cacheRead: 0.5 },
    'o3-mini': { input: 1.1, output: 4.4, cacheRead: 0.55 },
    'o4-mini': { input: 1.1, output: 4.4, cacheRead: 0.275 },
    'text-embedding-3-small': { input: 0.02, output: 0 },
    'text-embedding-3-large': { input: 0.13, output: 0 },
    'text-embedding-ada-002': { input: 0.1, output: 0 },
    'claude-opus-4-6': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    'claude-opus-4-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    'claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    'claude-opus-4': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    'claude-3-7-sonnet': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    'claude-3-5-sonnet': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    'claude-3-5-haiku': { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
    'claude-3-opus': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    'claude-3-haiku': { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3 },
    'gemini-3-pro-preview': { input: 2, output: 12, cacheRead: 0.2 },
    'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01 },
    'gemini-2.0-flash': { input: 0.1, output: 0.4, cacheRead: 0.025 },
    'gemini-2.0-flash-lite': { input: 0.075, output: 0.3 },
    'mistral-large': { input: 0.5, output: 1.5 },
    'mistral-small': { input: 0.1, output: 0.3 },
    'command-r-plus': { input: 2.5, output: 10 },
    'command-r': { input: 0.15, output: 0.6 },
    'deepseek-chat': { input: 0.28, output: 0.42, cacheRead: 0.028 },
    'deepseek-reasoner': { input: 0.28, output: 0.42, cacheRead: 0.028 },
    'grok-4': { input: 3, output: 15, cacheRead: 0.75 },
    'grok-3': { input: 3, output: 15, cacheRead: 0.75 },
    'grok-3-mini': { input: 0.3, output: 0.5, cacheRead: 0.075 },
    'llama-3.3-70b-versatile': { input: 0.59, output: 0.79 },
    'llama-3.1-8b-instant': { input: 0.05, output: 0.08 },
    'nova-pro': { input: 0.8, output: 3.2 },
    'nova-lite': { input: 0.06, output: 0.24 },
    'nova-micro': { input: 0.035, output: 0.14 },
  },
}
