import { deflateSync, gzipSync } from 'node:zlib'
import { credentials } from './credentials.ts'
import { SHAPELESS, VARIABLES } from './named-like-keys.ts'

/** What an application asks on one machine. */
export interface Machine {
  env?: Record<string, string>
  headers?: Record<string, string>
  query?: string
  body: unknown
}

/** A request with something that is secret, or that only seems to be, on two machines; and as its author changed it. */
export interface HiddenChange {
  what: string
  here: Machine
  /** The same request with the credentials of somebody else; absent where it has none. */
  elsewhere?: Machine
  changed: Machine
  /** What may not be stored. */
  secret?: string
}

const [ONE, OTHER] = ['OpenAI project', 'Anthropic'].map(
  (issuer) => credentials.find((credential) => credential.issuer === issuer)!.value,
) as [string, string]

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
const hex = (text: string | Uint8Array): string => Buffer.from(text).toString('hex')
const lines = (text: string): string => text.replaceAll(/.{76}/g, '$&\n')
const say = (content: string): unknown => ({
  model: 'gpt-5',
  messages: [{ role: 'user', content }],
})

/** Encodings of a text that holds a key. The whole is replaced in most of them. */
const ENCODINGS: Array<[what: string, encode: (text: string) => string]> = [
  ['as it stands', (text) => text],
  ['base64', base64],
  ['base64 with line breaks', (text) => lines(base64(text))],
  ['base64 twice', (text) => base64(base64(text))],
  ['hexadecimal digits', hex],
  ['UTF-16 in base64', (text) => base64(Buffer.from(text, 'utf16le'))],
  ['UTF-16 in hexadecimal digits', (text) => hex(Buffer.from(text, 'utf16le').swap16())],
  ['a list of bytes', (text) => [...Buffer.from(text)].join(', ')],
  ['a Buffer in JSON', (text) => JSON.stringify({ name: 'a.txt', content: Buffer.from(text) })],
  ['escapes of a program', (text) => text.replaceAll(/[a-z]/g, (one) => `\\x${hex(one)}`)],
  ['other escapes of a program', (text) => text.replaceAll(/[a-z]/g, (one) => `\\u{${hex(one)}}`)],
  ['gzip in base64', (text) => base64(gzipSync(text))],
  ['gzip in hexadecimal digits', (text) => hex(gzipSync(text))],
  ['zlib in base64', (text) => base64(deflateSync(text))],
  ['zlib in hexadecimal digits', (text) => hex(deflateSync(text, { level: 9 }))],
]

const letter = (key: string, about = 'apples'): string =>
  `Dear shop,\nplease use ${key} for me. ${'We are glad to be served so well. '.repeat(6)}Send ${about} to Anna.`

/** Values that a request carries in headers or parameters, and that are ordinary words of its prompt. */
const CARRIED: Array<[what: string, carry: (value: string) => Omit<Machine, 'body'>]> = [
  ['idempotency-key', (value) => ({ headers: { 'idempotency-key': value } })],
  ['x-cache-key', (value) => ({ headers: { 'x-cache-key': value } })],
  ['cookie', (value) => ({ headers: { cookie: `theme=${value}; lang=en` } })],
  ['x-auth-user', (value) => ({ headers: { 'x-auth-user': value } })],
  [
    'sec-websocket-protocol',
    (value) => ({ headers: { 'sec-websocket-protocol': `realtime, ${value}` } }),
  ],
  ['?key=', (value) => ({ query: `key=${value}` })],
  ['?code=', (value) => ({ query: `code=${value}` })],
  ['?auth=', (value) => ({ query: `auth=${value}` })],
]

const jwt = (claims: object, signature: string): string =>
  `${[{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.${signature.repeat(8)}`

const CLAIMS = { sub: 'anna', role: 'reader', iat: 1_700_000_000 }

export const HIDDEN_CHANGES: HiddenChange[] = [
  ...VARIABLES.map(([name, value, changed]) => ({
    what: `${name}=${value}`,
    here: { env: { [name]: value }, body: say(`Mind: ${value}.`) },
    elsewhere: { body: say(`Mind: ${value}.`) },
    changed: { env: { [name]: changed }, body: say(`Mind: ${changed}.`) },
  })),
  ...SHAPELESS.map(([name, value, other]) => ({
    what: `${name} with a credential`,
    here: { env: { [name]: value }, body: say(`Deploy it with ${value}, now.`) },
    elsewhere: { env: { [name]: other }, body: say(`Deploy it with ${other}, now.`) },
    changed: { env: { [name]: other }, body: say(`Deploy it with ${other}, later.`) },
    secret: value,
  })),
  ...ENCODINGS.map(([what, encode]) => ({
    what: `a key in ${what}`,
    here: { env: { ACME_API_KEY: ONE }, body: say(`Read ${encode(letter(ONE))} please.`) },
    elsewhere: { env: { ACME_API_KEY: OTHER }, body: say(`Read ${encode(letter(OTHER))} please.`) },
    changed: {
      env: { ACME_API_KEY: ONE },
      body: say(`Read ${encode(letter(ONE, 'pears'))} please.`),
    },
    secret: ONE,
  })),
  ...CARRIED.map(([what, carry]) => ({
    what: `${what} with words of the prompt`,
    here: { ...carry('order-4711-summary'), body: say('Write the order-4711-summary now.') },
    changed: { ...carry('order-4712-summary'), body: say('Write the order-4712-summary now.') },
  })),
  {
    what: 'idempotency-key with an id of the prompt',
    here: {
      headers: { 'idempotency-key': '8f14e45f-ceea-467f-a8b2-9d3c1e5b7a60' },
      body: say('Close ticket 8f14e45f-ceea-467f-a8b2-9d3c1e5b7a60.'),
    },
    changed: {
      headers: { 'idempotency-key': '1b2c3d4e-5f60-4718-893a-4b5c6d7e8f90' },
      body: say('Close ticket 1b2c3d4e-5f60-4718-893a-4b5c6d7e8f90.'),
    },
  },
  {
    what: 'a session in a cookie',
    here: {
      headers: { cookie: 'theme=dark; sid=q8Zr2LmT0vYw7k3Xs9' },
      body: say('Is q8Zr2LmT0vYw7k3Xs9 old?'),
    },
    elsewhere: {
      headers: { cookie: 'sid=B1nPdQeRf8Zr2LmT0' },
      body: say('Is B1nPdQeRf8Zr2LmT0 old?'),
    },
    changed: {
      headers: { cookie: 'sid=B1nPdQeRf8Zr2LmT0' },
      body: say('Is B1nPdQeRf8Zr2LmT0 new?'),
    },
    secret: 'q8Zr2LmT0vYw7k3Xs9',
  },
  {
    what: 'a variable of words that the request authenticates with',
    here: {
      env: { PROXY_KEY: 'team-blue-is-best' },
      headers: { authorization: 'Bearer team-blue-is-best' },
      body: say('It is team-blue-is-best.'),
    },
    elsewhere: {
      env: { PROXY_KEY: 'q8Zr2LmT0vYw7k3Xs9' },
      headers: { authorization: 'Bearer q8Zr2LmT0vYw7k3Xs9' },
      body: say('It is q8Zr2LmT0vYw7k3Xs9.'),
    },
    changed: {
      env: { PROXY_KEY: 'team-blue-is-best' },
      headers: { authorization: 'Bearer team-blue-is-best' },
      body: say('It was team-blue-is-best.'),
    },
    secret: 'team-blue-is-best',
  },
  ...Object.entries({ sub: 'ben', role: 'admin', iat: 1_700_000_001 }).map(([claim, value]) => ({
    what: `the claim ${claim} of a signed token`,
    here: { body: say(`Who is ${jwt(CLAIMS, 'q8Zr2L')}?`) },
    elsewhere: { body: say(`Who is ${jwt(CLAIMS, 'mT0vYw')}?`) },
    changed: { body: say(`Who is ${jwt({ ...CLAIMS, [claim]: value }, 'q8Zr2L')}?`) },
    secret: 'q8Zr2L'.repeat(8),
  })),
  ...[
    (text: string) => ({ model: 'm', grant_type: 'authorization_code', code: text }),
    (text: string) => ({ prompt: 'Go on.', client_secret: { value: text } }),
    (text: string) => ({ access_token: 'none', token_type: 'words', code: text }),
    (text: string) => ({
      tools: [{ type: 'function', function: { name: 'x', parameters: { password: text } } }],
    }),
    (text: string) => ({
      messages: [
        {
          role: 'assistant',
          tool_calls: [
            {
              function: {
                arguments: JSON.stringify({
                  grant_type: 'password',
                  code: text,
                  refresh_token: text,
                }),
              },
            },
          ],
        },
      ],
    }),
  ].map((body, index) => ({
    what: `an OAuth field outside a token request, ${index + 1}`,
    here: { body: body('return 1') },
    changed: { body: body('return 2') },
  })),
  {
    what: 'a parameter called code',
    here: { query: 'code=python', body: say('Write it.') },
    changed: { query: 'code=javascript', body: say('Write it.') },
  },
  {
    what: 'a parameter with the value of a variable that holds no key',
    here: { env: { MODEL_KEY: 'gpt-4o-mini' }, query: 'deployment=gpt-4o-mini', body: say('Hi') },
    changed: {
      env: { MODEL_KEY: 'gpt-4.1-nano' },
      query: 'deployment=gpt-4.1-nano',
      body: say('Hi'),
    },
  },
  {
    what: 'a request for a token',
    here: {
      body: {
        grant_type: 'client_credentials',
        client_id: 'app',
        client_secret: 'q8Zr2LmT0vYw7',
        scope: 'all',
      },
    },
    elsewhere: {
      body: {
        grant_type: 'client_credentials',
        client_id: 'app',
        client_secret: 'x',
        scope: 'all',
      },
    },
    changed: {
      body: {
        grant_type: 'client_credentials',
        client_id: 'app',
        client_secret: 'q8Zr2LmT0vYw7',
        scope: 'one',
      },
    },
    secret: 'q8Zr2LmT0vYw7',
  },
]
