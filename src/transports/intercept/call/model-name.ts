/** Words by which people name the hosts of models, and the variables that hold their addresses. */
const WORDS =
  /(?:^|[._-])(?:ai[._-]gateway|anthropic|bedrock|chatgpt|claude|gemini|genai|gpt|inference|litellm|llms?|mistral|ollama|openai|openrouter|vllm)(?=[._-]|\d|$)/i

/**
 * Whether the name of a host says that a model answers there, or the name of a variable that holds its address:
 * `llm.example.com`, `LLM_BASE_URL=https://corp.example.com`.
 */
export function isNamedAsModel(
  { hostname }: URL,
  variables: Readonly<Record<string, string | undefined>>,
): boolean {
  if (WORDS.test(hostname)) return true
  return Object.entries(variables).some(
    ([name, value = '']) => WORDS.test(name) && URL.parse(value)?.hostname === hostname,
  )
}
