const THINKING = /anthropic|bedrock|claude/

/** The settings that reach the wire as they are set, by the word for the provider. All others may be left out, or change. */
const SENT: ReadonlyArray<[provider: RegExp, settings: string]> = [
  [/responses/, 'temperature top_p max_tokens'],
  // Its thinking replaces and adds to the others, and newer models have none of them.
  [THINKING, 'stop_sequences max_tokens'],
  [
    /google|vertex|gemini/,
    'temperature top_p top_k max_tokens stop_sequences seed frequency_penalty presence_penalty',
  ],
  [
    /chat|mistral/,
    'temperature top_p max_tokens stop_sequences seed frequency_penalty presence_penalty',
  ],
]

/** The models of OpenAI that reason, and are sent no temperature. */
const REASONING = /^(?:o\d|gpt-[5-9]|codex|computer-use)/

/** What such a model is not sent. */
const NOT_FOR_REASONING = /^(?:temperature|top_p|frequency_penalty|presence_penalty)$/

/** Whether the limit of tokens that is sent is another than the one that was set: that for thoughts is added. */
export function isOtherLimit(words: readonly string[], settings: readonly string[]): boolean {
  return settings.includes('max_tokens') && words.some((word) => THINKING.test(word))
}

/**
 * The settings that the AI SDK (4 to 7) may send otherwise than they were set, or not at all. Its telemetry holds what was
 * set: a provider that has no such setting is not sent it, with a warning.
 *
 * @param words what is known of the provider: its name, and the wire format
 */
export function ifSentBy(
  words: readonly string[],
  model: string | undefined,
  settings: readonly string[],
): string[] {
  const [, sent = ''] = SENT.find(([provider]) => words.some((word) => provider.test(word))) ?? []
  const names = sent.split(' ')
  const isOpenAi = words.some((word) => /openai|azure/.test(word))
  const reasons = isOpenAi && model !== undefined && REASONING.test(model)
  return settings.filter(
    (name) => !names.includes(name) || (reasons && NOT_FOR_REASONING.test(name)),
  )
}
