/** How the parameters of a conversation are found: by who writes the test, or proposed by a model for review. */
export type ParamsStrategy =
  | { strategy: 'preset' }
  | {
      strategy: 'llm'
      /** Asks a model of yours with your own client; what it answers has one JSON object in it. */
      propose: (prompt: string) => Promise<string>
    }

/** True for a strategy as it has to be written. */
export function isParamsStrategy(value: unknown): value is ParamsStrategy {
  const { strategy, propose } = (value ?? {}) as { strategy?: unknown; propose?: unknown }
  return strategy === 'preset' || (strategy === 'llm' && typeof propose === 'function')
}
