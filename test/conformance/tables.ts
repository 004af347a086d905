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
import { SECRET_WORDS, WORDS_ABOUT_SECRETS } from '../../src/secrets/credential-name.ts'
import { KEPT_HEADERS } from '../../src/wire/headers.ts'
import { COUNTED_PIECES, PART_NUMBER, PIECE_FIELDS } from '../../src/wire/map-texts.ts'
import { CREDENTIAL_WORDS, READABLE, SIGNED } from '../../src/wire/url.ts'
import { CORE } from './core-table.ts'

function expression({ source, flags }: RegExp): { source: string; flags: string } {
  return { source, flags }
}

/** A host that a pattern of hosts matches. */
function exampleOf(hosts: RegExp): string {
  return hosts.source.replaceAll('.+', 'x').replaceAll(/[\\^$]/g, '')
}

/** Expressions for the words of the name of a variable or header that holds a credential, parted by spaces. */
export const SECRET_NAMES = {
  names:
    `(?:^| )(?:${[...SECRET_WORDS, 'ice', 'pw'].join('|')}|[a-z0-9]*(?:secret|token|apikey|accesskey|secretkey|sessid|` +
    'passwor[dt]|passwd|passphrase))(?: |$)|[a-z0-9] session$',
  but: `(?:^| )(?:${[...WORDS_ABOUT_SECRETS].join('|')})$`,
}

/** The tables of `docs/format.md` that are too long to read, as data. */
export function tables(): object {
  const endpoints = [...HOSTS.keys()].map((host) => [host, endpointOf(new URL(`https://${host}`))])
  return {
    core: CORE,
    endpoints: {
      hosts: Object.fromEntries(endpoints),
      patterns: WILDCARDS.filter(
        ([hosts, provider]) => EQUAL.has(provider) && !BUT.get(provider)?.test(exampleOf(hosts)),
      ).map(([hosts, provider]) => ({ hosts: hosts.source, endpoint: provider })),
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
      signed: expression(SIGNED),
      credential: expression(CREDENTIAL_WORDS),
    },
    secrets: SECRET_NAMES,
    streams: {
      pieces: [...PIECE_FIELDS],
      numbers: PART_NUMBER.source,
      counted: COUNTED_PIECES,
    },
    volatile: {
      rules: Object.fromEntries(
        Object.entries(NAMED_RULES).map(([name, rule]) => [name, expression(rule)]),
      ),
      times: [...TIMES],
      not_in_fields: expression(FIXED_FIELD),
    },
  }
}
