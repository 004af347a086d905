import { isMcpAddress } from '../wire/address.ts'
import { PROVIDERS } from './catalogue.ts'
import { isLoopback, providerOf } from './providers.ts'

/**
 * The variables that can hold the key for an address; empty where nobody knows, or where it takes none. A gateway has
 * those of its wire format.
 *
 * @param dialect the name of that format, where the path does not tell it: all sockets of a host can have one path
 */
export function keyVariables(address: string, dialect = ''): readonly string[] {
  const url = isMcpAddress(address) ? null : URL.parse(address)
  if (!url) return []
  const speaks = Object.values(PROVIDERS).find(
    ({ paths = {}, models }) =>
      Object.values(paths).some((path) => path.test(url.pathname)) || models?.speak.test(dialect),
  )
  const named = providerOf(url)
  const { keys = [], address: usual = '' } = (named ? PROVIDERS[named] : speaks) ?? {}
  // Who runs on this machine by default takes no key here.
  const isOpen = isLoopback(url) && URL.canParse(usual) && isLoopback(new URL(usual))
  return isOpen ? [] : keys
}
