import type { Exchange } from '../cassette/cassette.ts'
import { type Exchanges, textsOfCassette } from './texts-of-cassette.ts'

const ADDRESS = /(?<![\w.+-])[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?![\w@-])/gi

/** Reserved domains (RFC 2606), and names of files that look like an address. */
const NOBODY =
  /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$|\.(?:png|jpe?g|svg|js|ts)$/i

/** Names of machines, and not of people: `git@github.com`, `noreply@…`. */
const MACHINE = /^(?:git|no-?reply|user)@/i

/** The e-mail addresses of a cassette that may belong to someone, each once, masked: `a…@acme.io`. */
export function findAddresses(stored: Exchanges, exchanges: readonly Exchange[]): string[] {
  const found = textsOfCassette(stored, exchanges)
    .texts.filter(({ text }) => text.includes('@'))
    .flatMap(({ text }) =>
      Array.from(text.matchAll(ADDRESS))
        .filter(([address, domain]) => !NOBODY.test(domain!) && !MACHINE.test(address))
        .map(([address, domain]) => `${address[0]}…@${domain!.toLowerCase()}`),
    )
  return [...new Set(found)]
}
