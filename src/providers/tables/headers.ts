import { PROVIDERS } from '../catalogue.ts'
import type { HeaderReading } from '../provider.ts'
import { ASKING, BESIDE, FAMILIES, NAMING } from './header-names.ts'

// What ships has these tables as data, and no provider: tooling/provider-tables.ts prints them into this module.

/** How to compare the headers that are known by their names. */
export const READINGS: ReadonlyMap<string, HeaderReading> = new Map(
  Object.values(ASKING).flatMap((headers) => Object.entries(headers)),
)

const alternatives = (names: Iterable<string>): string => `(?:${[...names].join('|')})`

/** At the end of any name, whose words hyphens or underscores part. */
const ending = (...words: string[]): string =>
  `(?:[a-z0-9]+[-_])*${words.map((some) => alternatives(some.split(' ')).replaceAll('-', '[-_]')).join('')}`
const WHERE = ending(NAMING.where)
const NAMED = `${ending(NAMING.who)}(?:[-_]${alternatives(NAMING.which.split(' '))})?|${ending(NAMING.how)}|${WHERE}`

/**
 * The names of all headers that are stored. None of them holds a credential or identifies an account; where a value
 * could, its digest is stored.
 */
export const ASKING_HEADER: RegExp = new RegExp(
  `^(?:${alternatives(READINGS.keys())}|(?!(?:.*[-_])?${alternatives(BESIDE.split(' '))}(?:[-_]|$))(?:${NAMED}|${alternatives(FAMILIES)}-[a-z0-9-]+))$`,
)

/** Headers that nearly every client sends. */
const USUAL = [
  'accept-encoding accept-language api-key authorization connection content-length host user-agent x-api-key',
  'x-goog-api-key x-stainless-arch x-stainless-lang x-stainless-os x-stainless-package-version',
  'x-stainless-retry-count x-stainless-runtime x-stainless-runtime-version x-stainless-timeout',
].flatMap((names) => names.split(' '))

/** Those of them that are not stored. They need not be looked for in the expression, whose first use takes long. */
export const UNSTORED: ReadonlySet<string> = new Set(
  USUAL.filter((name) => !ASKING_HEADER.test(name)),
)

/** The headers that a dialect reads. */
export const READ_BY_DIALECTS: readonly string[] = Object.values(PROVIDERS).flatMap(
  ({ readHeaders = [] }) => readHeaders,
)

/** Headers of which the digest counts. */
export const FAMILY: RegExp = new RegExp(`^${alternatives(FAMILIES)}-`)

/** Headers that hold an address. */
export const ADDRESS: RegExp = new RegExp(`^${WHERE}$`)
