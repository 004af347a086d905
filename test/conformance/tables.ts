import { FIXED_FIELD, NAMED_RULES, TIMES } from '../../src/prompt/named-rules.ts'
import { endpointOf } from '../../src/providers/providers.ts'
import { BUT, EQUAL, HOSTS, WILDCARDS } from '../../src/providers/tables/addresses.ts'
import { CALL_FORMATS } from '../../src/providers/tables/calls.ts'
import {
  ADDRESS,
  ASKING_HEADER,
  FAMILY,
  READ_BY_DIALECTS,
  READINGS,
} from '../../src/providers/tables/headers.ts'
import { KEPT_HEADERS } from '../../src/wire/headers.ts'
import { AMBIGUOUS, ALWAYS, OPENING, READABLE } from '../../src/wire/url.ts'

/** The tables of `docs/format.md` that are too long to read, as data. */
export function tables(): object {
  const endpoints = [...HOSTS.keys()].map((host) => [host, endpointOf(new URL(`https://${host}`))])
  return {
    endpoints: {
      hosts: Object.fromEntries(endpoints),
      patterns: WILDCARDS.filter(([, provider]) => EQUAL.has(provider)).map(
        ([hosts, provider]) => ({
          hosts: hosts.source,
          endpoint: provider,
          ...(BUT.has(provider) ? { but: BUT.get(provider)!.source } : {}),
        }),
      ),
    },
    calls: CALL_FORMATS.map(({ ids, far, ...format }) => ({
      ...format,
      ids: ids.map(([path, types]) => (types ? [path, types.source] : [path])),
      ...(far ? { far: far.source } : {}),
    })),
    headers: {
      known: Object.fromEntries(READINGS),
      stored: ASKING_HEADER.source,
      family: FAMILY.source,
      address: ADDRESS.source,
      names_a_model: READ_BY_DIALECTS,
      of_answers: KEPT_HEADERS,
    },
    query: {
      kept: [...READABLE],
      credential: [...ALWAYS],
      ambiguous: [...AMBIGUOUS],
      opening: [...OPENING],
    },
    volatile: {
      rules: Object.fromEntries(
        Object.entries(NAMED_RULES).map(([name, { source, flags }]) => [name, { source, flags }]),
      ),
      times: [...TIMES],
      not_in_fields: FIXED_FIELD.source,
    },
  }
}
