import { PROVIDERS } from '../../providers/catalogue.ts'
import { isLoopback, providerOf } from '../../providers/providers.ts'
import { invalidCommand } from '../terminal/options.ts'

type OwnKeys = ReadonlyMap<string, string>

/** The headers that authenticate a request, or why it cannot be sent. */
type Credentials = { headers: Record<string, string> } | { why: string }

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Finds the key with which a recorded request is sent again. A cassette can come from anybody, so a key is sent only to
 * its provider and to hosts that the user names.
 */
export function keyFor(
  address: string,
  dialect: string,
  env: Variables,
  own: OwnKeys = new Map(),
): Credentials {
  const url = new URL(address)
  const named = own.get(url.host) ?? own.get(url.hostname)
  const provider = providerOf(url)
  if (named !== undefined) return headerOf(named, [named], provider ?? formOf(dialect), env)
  if (provider === undefined || url.protocol !== 'https:') {
    if (isLoopback(url)) return { headers: {} }
    return {
      why: `the key of ${url.host} is unknown: pass --key ${url.host}=NAME_OF_THE_VARIABLE`,
    }
  }
  const { keys, bearer } = PROVIDERS[provider]!
  if (!keys)
    return {
      why: `the key of ${provider} is not known: say --key ${url.host}=NAME_OF_THE_VARIABLE`,
    }
  return headerOf(provider, keys, bearer?.test(dialect) ? undefined : provider, env)
}

function headerOf(
  name: string,
  variables: readonly string[],
  form: string | undefined,
  env: Variables,
): Credentials {
  const key = variables.map((variable) => env[variable]).find(Boolean)
  if (key === undefined)
    return {
      why: `${variables[0]} is not set${name === variables[0] ? '' : `, the key of ${name}`}`,
    }
  const header = form && PROVIDERS[form]!.keyHeader
  return { headers: header ? { [header]: key } : { authorization: `Bearer ${key}` } }
}

/** The provider whose header a gateway expects: that of its wire format. */
function formOf(dialect: string): string | undefined {
  return Object.keys(PROVIDERS).find((name) => PROVIDERS[name]!.models?.speak.test(dialect))
}

/**
 * Reads `--key host=VARIABLE`.
 *
 * @throws CassetteError `invalid-command` for anything else.
 */
export function readOwnKeys(words: readonly string[]): OwnKeys {
  return new Map(
    words.map((word) => {
      const [, host, variable] = /^([^=\s]+)=(\w+)$/.exec(word) ?? []
      if (host !== undefined && variable !== undefined) return [host, variable] as const
      throw invalidCommand(
        '--key takes a host and the variable that has its key, such as --key llm.example.com=LLM_KEY.',
      )
    }),
  )
}
