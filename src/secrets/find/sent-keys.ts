import { ownEnvironment } from '../../real/own-environment.ts'
import { isCredentialParameter } from '../../wire/url.ts'
import { credentialName } from '../credential-name.ts'
import { credentialsOf, isKnownName } from '../known-values.ts'

/** A header without a key in it. */
const NO_KEY = /^(?:bearer|basic|)$/i

/**
 * The variables whose values a request carries as its credentials, those with the name of a credential first; empty where
 * no variable holds them, `undefined` where it carries none.
 */
export function variablesSent(
  headers: Iterable<[string, string]>,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): string[] | undefined {
  const ofHeaders = [...headers].flatMap(([name, value]) =>
    credentialName(name) ? credentialsOf(value) : [],
  )
  const ofUrl = [...new URL(url).searchParams].flatMap(([name, value]) =>
    isCredentialParameter(name) ? value : [],
  )
  const all = [...ofHeaders, ...ofUrl].map((one) => one.trim())
  const sent = new Set(all.filter((one) => !NO_KEY.test(one)))
  if (sent.size === 0) return undefined
  const own = ownEnvironment(env)
  const names = Object.keys(own).filter((name) => sent.has(own[name]?.trim() ?? ''))
  return names.sort((one, other) => Number(isKnownName(other)) - Number(isKnownName(one)))
}
