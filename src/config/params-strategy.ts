/** How the parameters of a conversation are found: declared in the test, or proposed by a model for review. */
export type ParamsStrategy =
  | { strategy: 'preset' }
  | {
      strategy: 'llm'
      /** Asks your model with your own client. Its answer contains one JSON object. */
      propose: (prompt: string) => Promise<string>
    }

/** True for a valid strategy. */
export function isParamsStrategy(value: unknown): value is ParamsStrategy {
  const { strategy, propose } = (value ?? {}) as { strategy?: unknown; propose?: unknown }
  return strategy === 'preset' || (strategy === 'llm' && typeof propose === 'function')
}
