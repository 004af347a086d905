import { FIXED_FIELD, NAMED_RULES, TIMES } from '../../src/prompt/named-rules.ts'
import { PROVIDERS } from '../../src/providers/catalogue.ts'
import { endpointOf } from '../../src/providers/providers.ts'
import { BUT, EQUAL, HOSTS, WILDCARDS } from '../../src/providers/tables/addresses.ts'
import { REQUESTS } from '../../src/providers/tables/request-places.ts'
import { ADDRESS, ASKING_HEADER, FAMILY, READINGS } from '../../src/providers/tables/headers.ts'
import { SECRET_WORDS, WORDS_ABOUT_SECRETS } from '../../src/secrets/credential-name.ts'
import { OAUTH } from '../../src/secrets/find/known-fields.ts'
import { COUNTED_PIECES, PART_NUMBER, PIECE_FIELDS } from '../../src/wire/channels.ts'
import { OF_PROTOCOL } from '../../src/wire/mcp-messages.ts'
import { CREDENTIAL_WORDS, SIGNED } from '../../src/wire/url.ts'

/** The tables of the format that are too long to read, as data, made from the source. */
export function tables(): object {
  return {
    endpoints: endpoints(),
    calls: Object.values(PROVIDERS).flatMap(({ places = [] }) =>
      places.flatMap(([path, role, types, far]) => {
        if (role !== 'call-id') return []
        if (far) return [[path, types?.source ?? '', far.source]]
        return [types ? [path, types.source] : [path]]
      }),
    ),
    // A path from the root of a body needs none.
    call_roots: REQUESTS.flatMap((root) => (root === '' ? [] : root.slice(0, -1))),
    headers: { counting: ASKING_HEADER.source, readings: readings(), types: TYPES },
    query: { signed: expression(SIGNED), credential: expression(CREDENTIAL_WORDS) },
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
    redacted: { tool_servers: TOOL_SERVERS, oauth: [...OAUTH] },
    mcp: { dropped: { _meta: OF_PROTOCOL.names, _meta_prefix: OF_PROTOCOL.prefix } },
  }
}

/** Media types that count. A test holds the source against it. */
export const TYPES: string =
  '^(?!(?:\\*/\\*|multipart/.*|text/(?:event-stream|plain|json)|application/(?:json|.*\\+json|octet-stream|' +
  'x-www-form-urlencoded|x-ndjson|jsonl|json-?lines|json-l))(?:$|;)).+/.+$'

/** Of the places of the text alone: the source looks for credentials of other servers at more of them. */
const TOOL_SERVERS = {
  in: ['tools.*', 'mcp_servers.*'],
  types: ['mcp', 'mcp_server'],
  fields: ['authorization', 'authorization_token'],
  headers: 'headers',
}

/** Expressions for the words of the name of a variable or header that holds a credential, parted by spaces. */
export const SECRET_NAMES = {
  names:
    `(?:^| )(?:${[...SECRET_WORDS, 'ice', 'pw'].join('|')}|[a-z0-9]*(?:secret|token|apikey|accesskey|secretkey|sessid|` +
    'passwor[dt]|passwd|passphrase))(?: |$)|[a-z0-9] session$',
  but: `(?:^| )(?:${[...WORDS_ABOUT_SECRETS].join('|')})$`,
}

function expression({ source, flags }: RegExp): { source: string; flags: string } {
  return { source, flags }
}

function endpoints(): object {
  const hosts = [...HOSTS.keys()].map((host) => [host, endpointOf(new URL(`https://${host}`))])
  const patterns = WILDCARDS.filter(
    ([hosts, provider]) => EQUAL.has(provider) && !BUT.get(provider)?.test(exampleOf(hosts)),
  )
  return {
    hosts: Object.fromEntries(hosts),
    patterns: patterns.map(([hosts, endpoint]) => ({ hosts: hosts.source, endpoint })),
  }
}

/** A host that a pattern of hosts matches. */
function exampleOf(hosts: RegExp): string {
  return hosts.source.replaceAll('.+', 'x').replaceAll(/[\\^$]/g, '')
}

/** What is done to the values of headers, by their names. Media types have a table of their own. */
function readings(): Array<[names: string, reading: string]> {
  const named = (...all: string[]): string => {
    const names = [...READINGS].filter(([, reading]) => all.includes(reading)).map(([name]) => name)
    return `^(?:${names.join('|')})$`
  }
  return [
    [named('host'), 'host'],
    [named('protocols'), 'protocols'],
    [named('set'), 'set'],
    [named('digest'), 'digest'],
    [named('text', 'json'), 'text'],
    [ADDRESS.source, 'address'],
    [FAMILY.source, 'digest'],
  ]
}
