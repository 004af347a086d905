import { PROVIDERS } from './catalogue.ts'

// What ships has this table as data, and no provider: tooling/provider-tables.ts prints it into this module.

/** The default addresses of programs, by the variable that changes them; `undefined` where programs have no default. */
export const BASE_URLS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.values(PROVIDERS).flatMap(({ baseUrls = [], address }) =>
    baseUrls.map((name) => [name, address]),
  ),
)
