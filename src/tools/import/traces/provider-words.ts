/** The words of tracers for providers, and ours for them: OpenTelemetry's. The first that fits holds. */
const PROVIDERS: ReadonlyArray<[RegExp, string]> = [
  [/^azure/i, 'azure.ai.openai'],
  [/^(?:aws|amazon|bedrock)/i, 'aws.bedrock'],
  [/^(?:vertex|google[._-]?vertex|gcp\.vertex)/i, 'gcp.vertex_ai'],
  [/^(?:google|gemini|gcp)/i, 'gcp.gemini'],
  [/^mistral/i, 'mistral_ai'],
  [/^(?:xai|x\.ai|grok)/i, 'x_ai'],
]

/** The name of a provider: without what the AI SDK says of its wire behind it. */
export function providerNamed(word: string): string {
  const known = PROVIDERS.find(([pattern]) => pattern.test(word))
  return known?.[1] ?? word.toLowerCase().split('.')[0]!
}

/** The wire formats by the words of the AI SDK, and by the ids that their servers give to answers. */
const DIALECTS: ReadonlyArray<[of: 'provider' | 'id', pattern: RegExp, dialect: string]> = [
  ['provider', /^(?:openai|azure(?:-openai)?)\.responses$/, 'openai-responses'],
  ['provider', /^(?:openai|azure(?:-openai)?)\.chat$/, 'openai-chat'],
  ['id', /^resp_/, 'openai-responses'],
  ['id', /^chatcmpl-/, 'openai-chat'],
  ['id', /^msg_/, 'anthropic-messages'],
  ['provider', /^anthropic/i, 'anthropic-messages'],
]

/** The wire format of a call, where its provider or the id of its answer tells it. */
export function spokenDialect(
  provider: string | undefined,
  id: string | undefined,
): string | undefined {
  const words = { provider, id }
  const told = DIALECTS.find(([of, pattern]) => pattern.test(words[of] ?? ''))
  return told?.[2]
}
