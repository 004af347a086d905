import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readText, textOf } from '../../src/wire/body.ts'
import { knownInEnvironment, withoutParts } from '../../src/secrets/known-values.ts'
import { redactKnown, redactorFor } from '../../src/secrets/redactor.ts'

const KEY = 'q8Zr2LmT0vYw7Kc4Nd6Xp1Bs'
const ACCOUNT_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq7K1SZFPTOtr=='
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim()
const LINES = PEM.split('\n').slice(1, -1)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'my-project-1',
  private_key: `${PEM}\n`,
  client_email: 'me@my-project-1.iam.gserviceaccount.com',
  nested: { auth: { password: 'tr0ub4dor&3' }, tokens: [{ refresh_token: KEY }] },
})

/** A variable, and a part of its value that opens something alone. */
const PARTS: Array<[what: string, name: string, value: string, part: string]> = [
  ...['Bearer', 'bearer', 'Token', 'token', 'ApiKey', 'Splunk', 'SSWS'].map(
    (scheme): [string, string, string, string] => [
      `a token behind ${scheme}`,
      'API_TOKEN',
      `${scheme} ${KEY}`,
      KEY,
    ],
  ),
  ['a header', 'AUTHORIZATION', `Authorization: Bearer ${KEY}`, KEY],
  [
    'a password behind Basic',
    'PROXY_AUTHORIZATION',
    `Basic ${base64('me:tr0ub4dor&3')}`,
    'tr0ub4dor&3',
  ],
  ['a password of npm', 'NPM_CONFIG__AUTH', base64('me:tr0ub4dor&3'), 'tr0ub4dor&3'],
  ['a line of npm', 'NPM_AUTH', `//registry.npmjs.org/:_authToken=${KEY}`, KEY],
  [
    'a line of npm with base64',
    'NPM_AUTH',
    `//registry.npmjs.org/:_auth=${base64('me:tr0ub4dor&3')}`,
    'tr0ub4dor&3',
  ],
  [
    'an account key',
    'AZURE_STORAGE_CONNECTION_STRING',
    `DefaultEndpointsProtocol=https;AccountName=me;AccountKey=${ACCOUNT_KEY};EndpointSuffix=core.windows.net`,
    ACCOUNT_KEY,
  ],
  [
    'a shared access key',
    'EVENTHUB_CONN_STR',
    `Endpoint=sb://me.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${KEY}=`,
    `${KEY}=`,
  ],
  [
    'the password of a server',
    'SQL_CONNECTION',
    'Server=tcp:me.database.windows.net;User ID=me;Password=tr0ub,dor&3;Encrypt=true',
    'tr0ub,dor&3',
  ],
  [
    'a signature',
    'SAS_TOKEN',
    `sv=2022-11-02&ss=b&sig=${encodeURIComponent(`${KEY}+=`)}&se=2030-01-01`,
    `${KEY}+=`,
  ],
  [
    'the password of postgres',
    'DATABASE_URL',
    'postgres://me:tr0ub4dor@db.example.com/app',
    'tr0ub4dor',
  ],
  [
    'an encoded password',
    'DATABASE_URL',
    'postgres://me:tr0ub%26dor%213@db.example.com/app',
    'tr0ub&dor!3',
  ],
  [
    'a password with an at sign',
    'DATABASE_URL',
    'postgres://me:tr0ub@dor3x@db.example.com/app',
    'tr0ub@dor3x',
  ],
  [
    'a password with a slash',
    'DATABASE_URL',
    'postgres://me:tr0ub/dor3x@db.example.com/app',
    'tr0ub/dor3x',
  ],
  [
    'the password of Redis, without a user',
    'REDIS_URL',
    'rediss://:tr0ub4dor@cache.example.com:6379/0',
    'tr0ub4dor',
  ],
  [
    'the password of MongoDB',
    'MONGO_URI',
    'mongodb+srv://me:tr0ub4dor@a.example.com,b.example.com/app?w=majority',
    'tr0ub4dor',
  ],
  ['the password of AMQP', 'AMQP_URL', 'amqps://me:tr0ub4dor@mq.example.com/%2f', 'tr0ub4dor'],
  [
    'the second of several addresses',
    'REDIS_URLS',
    'redis://:tr0ub4dor1@a.example.com,redis://:tr0ub4dor2@b.example.com',
    'tr0ub4dor2',
  ],
  [
    'the password of a proxy',
    'HTTPS_PROXY',
    'http://me:tr0ub4dor@proxy.example.com:8080',
    'tr0ub4dor',
  ],
  ['a token in the place of a user', 'GIT_REMOTE_URL', `https://${KEY}@github.com/me/it.git`, KEY],
  [
    'the password of JDBC',
    'JDBC_URL',
    'jdbc:postgresql://db.example.com/app?user=me&password=tr0ub4dor',
    'tr0ub4dor',
  ],
  [
    'the password of a DSN',
    'POSTGRES_DSN',
    "host=db.example.com user=me password='tr0ub4 dor' dbname=app",
    'tr0ub4 dor',
  ],
  ['a key in an address', 'WEBHOOK_URL', `https://hooks.example.com/in?token=${KEY}`, KEY],
  ['a nested field of JSON', 'GOOGLE_CREDENTIALS', ACCOUNT, 'tr0ub4dor&3'],
  ['a field in a list of JSON', 'GOOGLE_CREDENTIALS', ACCOUNT, KEY],
  ['a field of JSON in base64', 'GOOGLE_CREDENTIALS_BASE64', base64(ACCOUNT), 'tr0ub4dor&3'],
  [
    'base64 in JSON in base64',
    'DOCKER_AUTH',
    base64(JSON.stringify({ auths: { 'ghcr.io': { auth: base64('me:tr0ub4dor&3') } } })),
    'tr0ub4dor&3',
  ],
  ['the password of a user', 'REGISTRY_AUTH', 'me:tr0ub4dor3x', 'tr0ub4dor3x'],
  ['one of several keys', 'API_KEY', `${KEY},aB3dE5fG7hJ9kL2m`, 'aB3dE5fG7hJ9kL2m'],
  [
    'one of several keys, by the plural',
    'OPENAI_API_KEYS',
    `${KEY},sk-Yt72jHnQ9wBv`,
    'sk-Yt72jHnQ9wBv',
  ],
  ['a password of a list', 'DB_PASSWORDS', 'kTq9-33xL;pWz8-02QaRr', 'pWz8-02QaRr'],
  ['a key with a name before it', 'API_KEYS', `alpha:${KEY},beta:Yt72jHnQ9wBv`, 'Yt72jHnQ9wBv'],
  ['a key of a list in JSON', 'GEMINI_KEYS', JSON.stringify([KEY, 'Yt72jHnQ9wBv']), 'Yt72jHnQ9wBv'],
  ['a key of an object in JSON', 'LLM_TOKENS', JSON.stringify({ openai: KEY }), KEY],
  ['a key of an object of keys', 'LLM_API_KEYS', JSON.stringify({ openai: [KEY] }), KEY],
  ['a line of several lines', 'RECOVERY_SECRET', `${KEY}\naB3dE5fG7hJ9kL2m`, 'aB3dE5fG7hJ9kL2m'],
  ...(
    [
      ['a key', PEM],
      ['a key on one line', PEM.replaceAll('\n', '\\n')],
      ['a key in JSON', ACCOUNT],
      ['a key in base64', base64(PEM)],
      ['a key in JSON in base64', base64(ACCOUNT)],
    ] as const
  ).flatMap(([what, value]): Array<[string, string, string, string]> => [
    [`${what}: a line`, 'SIGNING_PRIVATE_KEY', value, LINES[3]!],
    [`${what}: no first line`, 'SIGNING_PRIVATE_KEY', value, PEM.split('\n').slice(1).join('\n')],
    [`${what}: in one line`, 'SIGNING_PRIVATE_KEY', value, LINES.join('')],
    [
      `${what}: other lines`,
      'SIGNING_PRIVATE_KEY',
      value,
      LINES.join('').replaceAll(/.{40}/g, '$&\n'),
    ],
    [`${what}: with escapes`, 'SIGNING_PRIVATE_KEY', value, PEM.replaceAll('\n', '\\n')],
    [`${what}: with carriage returns`, 'SIGNING_PRIVATE_KEY', value, PEM.replaceAll('\n', '\r\n')],
  ]),
]

/** Pieces of a part by which it is recognised. */
const tracesOf = (part: string): string[] =>
  part
    .split(/[^\w/+&,@!]+/)
    .filter((piece) => piece.length >= 6 && !/^(?:PRIVATE|BEGIN|END)$/.test(piece))

describe.for(PARTS)('%s (%s)', ([, name, value, part]) => {
  const env = { [name]: value }
  const leftIn = (text: string): string[] => tracesOf(part).filter((trace) => text.includes(trace))

  test('is replaced in a text', () => {
    const clean = redactKnown(`The value is ${part} now.`, env)
    expect(leftIn(clean)).toEqual([])
    expect(clean).toMatch(/^The value is .*<REDACTED:\w+>.* now\.$/s)
  })

  test.for([
    ['JSON', (text: string) => JSON.stringify({ text })],
    ['an address', (text: string) => `https://a.example/?v=${encodeURIComponent(text)}`],
    ['base64', (text: string) => base64(`it is ${text} there`)],
  ] as const)('is replaced in %s', ([, spell]) => {
    const spelled = spell(part)
    const clean = redactKnown(spelled, env)
    expect(clean).not.toBe(spelled)
    expect(leftIn(clean)).toEqual([])
  })

  test('is replaced in a request and over two messages', () => {
    const [one, other] = [part.slice(0, part.length / 2), part.slice(part.length / 2)]
    const { request } = redactorFor([], new URL('https://api.openai.com/v1'), [], env)
    const bodyOf = (...texts: string[]): string => {
      const messages = texts.map((content) => ({ role: 'user', content }))
      const body = readText(JSON.stringify({ model: 'm', messages }))
      return textOf(request({ method: 'POST', url: 'https://api.openai.com/v1', body }).body)
    }
    expect(leftIn(JSON.stringify(JSON.parse(bodyOf(part))))).toEqual([])
    expect(bodyOf(one, other)).toContain('<REDACTED:')
  })
})

test.for([
  [
    'DATABASE_URL',
    'postgres://postgres:postgres@localhost:5432/postgres',
    'postgres localhost 5432',
  ],
  [
    'AZURE_STORAGE_CONNECTION_STRING',
    `DefaultEndpointsProtocol=https;AccountName=mystorageaccount1;AccountKey=${ACCOUNT_KEY};EndpointSuffix=core.windows.net`,
    'https mystorageaccount1 core.windows.net',
  ],
  [
    'GOOGLE_CREDENTIALS',
    ACCOUNT,
    'service_account my-project-1 me@my-project-1.iam.gserviceaccount.com',
  ],
  ['SIGNING_PRIVATE_KEY', PEM, '-----BEGIN PRIVATE KEY-----'],
  ['API_TOKEN', `Bearer ${KEY}`, 'Bearer'],
  ['API_KEY', `us-east-1,gpt-4o-mini,${KEY}`, 'us-east-1 gpt-4o-mini'],
  ['HTTPS_PROXY', 'http://proxy.example.com:8080', 'http proxy.example.com 8080'],
  [
    'SQL_CONNECTION',
    'Server=tcp:me.database.windows.net,1433;User ID=administrator1;Password=admin',
    'tcp:me.database.windows.net administrator1 admin',
  ],
  [
    'GIT_URL',
    'https://git@github.com/organization1/repository',
    'git github.com organization1 repository',
  ],
  [
    'JSON_TOKENS',
    JSON.stringify({ region: 'eu-central-1', token_url: 'https://auth.example.com/token1234' }),
    'eu-central-1 https://auth.example.com/token1234',
  ],
  ['PWD', '/home/ann/Kunden q8Zr2LmT0vYw/app', 'q8Zr2LmT0vYw/app'],
  ['OLDPWD', '/home/ann/Kunden q8Zr2LmT0vYw/app', 'q8Zr2LmT0vYw/app'],
  ['MAX_TOKENS', '40960000', '40960000'],
  ['STOP_TOKENS', '<|endoftext|>,<|im_end|>', '<|endoftext|> <|im_end|>'],
  ['FEATURE_KEYS', '["dark-mode","new-checkout-flow"]', 'dark-mode new-checkout-flow'],
  [
    'GREETING_TOKEN',
    'You are a helpful assistant, and\nyou answer in one sentence.',
    'helpful assistant sentence',
  ],
] as const)('what is no credential in %s stays', ([name, value, text]) => {
  expect(redactKnown(text, { [name]: value })).toBe(text)
})

test('what a child tells is what its parts can be found in again', () => {
  const env = { SIGNING_PRIVATE_KEY: PEM, API_TOKEN: `Bearer ${KEY}` }
  const known = knownInEnvironment(env)
  expect(known.length).toBeGreaterThan(20)
  expect(withoutParts(known)).toEqual([
    { name: 'API_TOKEN', value: `Bearer ${KEY}` },
    { name: 'SIGNING_PRIVATE_KEY', value: PEM },
  ])
})
