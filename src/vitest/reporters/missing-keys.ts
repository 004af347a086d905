/** How SDKs and applications name the variable that they lack. */
const KEY_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|KEY_ID)\b/g

/** What SDKs say who do not name it. */
const NAMELESS = /could not resolve authentication|missing credentials|credential is missing/i

/**
 * What a run that records has to be told whose tests failed for want of a key; `undefined` where they did not.
 *
 * @param errors the messages of all errors of the run
 * @param env what is set
 */
export function explainMissingKeys(
  errors: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = errors.flatMap((message) => message.match(KEY_NAME) ?? [])
  const missing = [...new Set(named)].filter((name) => !env[name])
  const isNameless = errors.some((message) => NAMELESS.test(message) && !message.match(KEY_NAME))
  if (missing.length === 0 && !isNameless) return undefined
  const [first = 'its key', ...others] = missing
  return [
    `Recording asks the provider itself, which takes a real key: set ${[first, ...others.slice(0, 3)].join(' or ')}.`,
    'Vitest reads .env files for names that begin with VITE_ alone. To read one whole, at the top of the config:',
    "  process.loadEnvFile('.env')",
    'Or record with npx vitest-cassette record, which reads .env whole.',
  ].join('\n')
}
