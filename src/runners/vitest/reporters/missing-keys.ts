import { readEnvironment } from '../../../config/environment.ts'

/** The name of the missing variable in errors of SDKs and applications. */
const KEY_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|KEY_ID)\b/g

/** The errors of SDKs that do not name the variable. */
const NAMELESS = /could not resolve authentication|missing credentials|credential is missing/i

/**
 * The advice for a recording run whose tests failed because a key is missing; `undefined` if none did.
 *
 * @param errors the messages of all errors of the run
 * @param env the environment variables that are set
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
  const names = [first, ...others.slice(0, 3)].join(' or ')
  const wanted = `Recording asks the provider itself, which takes a real key: set ${names}.`
  if (readEnvironment(env).run) return `${wanted}\nThis command reads .env as well.`
  return [
    wanted,
    'Vitest reads .env files for names that begin with VITE_ alone. To read one whole, at the top of the config:',
    "  try { process.loadEnvFile('.env') } catch {}",
    'Or record with npx vitest-cassette record, which reads .env whole.',
  ].join('\n')
}
