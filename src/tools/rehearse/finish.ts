import type { Completion } from '../../prompt/completion.ts'

/** The words of providers for each kind of finish reason. */
const KINDS = {
  end: 'stop end_turn stop_sequence completed complete eos eos_token finish',
  tools: 'tool_calls tool_call tool_use function_call tool-calls',
  length: 'length max_tokens max_output_tokens incomplete model_length',
  refusal:
    'refusal content_filter content_filtered guardrail_intervened safety blocklist prohibited_content recitation spii image_safety error_toxic',
}

const kinds = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
)

/**
 * The kinds of finish reasons of an answer: `end`, `tools`, `length`, `refusal`, or the provider's own word. Some
 * providers say `stop` for a tool call, so in an answer with calls `end` becomes `tools`.
 */
export function finishOf({ finishReasons, toolCalls }: Completion): string[] {
  const ends = finishReasons.map((word) => {
    const kind = kinds.get(word.toLowerCase()) ?? word.toLowerCase()
    return kind === 'end' && toolCalls.length > 0 ? 'tools' : kind
  })
  return [...new Set(ends)].sort()
}
