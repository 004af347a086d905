const WORDLESS = new Set(['embeddings', 'rerank', 'count_tokens'])

/** Whether an operation is answered with numbers: its texts are data, which no user says. */
export function isWordless(operation: string): boolean {
  return WORDLESS.has(operation)
}
