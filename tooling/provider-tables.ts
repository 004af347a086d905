import * as baseUrls from '../src/providers/base-urls.ts'
import * as addresses from '../src/providers/tables/addresses.ts'
import * as requestPlaces from '../src/providers/tables/request-places.ts'
import * as headers from '../src/providers/tables/headers.ts'
import * as keys from '../src/providers/tables/keys.ts'
import { type MakesModules, makesModules } from './makes-modules.ts'

/** The modules of tables that are made of the facts about all providers. */
export const TABLES: Readonly<Record<string, object>> = {
  'src/providers/base-urls.ts': baseUrls,
  'src/providers/tables/addresses.ts': addresses,
  'src/providers/tables/request-places.ts': requestPlaces,
  'src/providers/tables/headers.ts': headers,
  'src/providers/tables/keys.ts': keys,
}

/**
 * Puts the tables themselves in the place of the modules that make them, so that a replay neither loads the facts that
 * it does not ask, nor makes a table of them. A plugin of the build, and of the tests, so that they test what ships.
 */
export const providerTables: MakesModules = makesModules(
  'provider-tables',
  Object.fromEntries(
    Object.entries(TABLES).map(([path, table]) => [path, () => printModule(table)]),
  ),
)

/** The text of a module that exports values which are data alone. */
export function printModule(exported: object): string {
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${print(value)}\n`)
    .join('')
}

function print(value: unknown): string {
  if (value instanceof RegExp) return String(value)
  if (value instanceof Map) return `/* @__PURE__ */ new Map(${print([...value])})`
  if (value instanceof Set) return `/* @__PURE__ */ new Set(${print([...value])})`
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}: ${print(one)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  if (typeof value === 'function') throw new Error(`A table holds no function: ${String(value)}`)
  return value === undefined ? 'undefined' : JSON.stringify(value)
}
