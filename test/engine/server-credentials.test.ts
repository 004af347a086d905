import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import type { Miss } from '../../src/engine/session-contract.ts'
import type { RenderedFailure } from '../../src/explain/failure.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { keepUnchanged } from '../../src/recording/keep-unchanged.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { type Body, readText, textOf } from '../../src/wire/body.ts'
import { expectGolden } from '../golden.ts'
import { openExample, recorded } from './example-session.ts'

type Env = Record<string, string | undefined>

const DOCS = 'q8Zr2LmT0vYw7KpXs4Nb'
const FILES = 'h3Jd9VcE6uRa1GtQf5Wk'
const OTHER = 'Zx7Pm2Lk9Qv4Tn8Bs3Hd'
const ENV: Env = { DOCS_TOKEN: DOCS, FILES_TOKEN: FILES }
const OF_OURS = expect.stringMatching(/^(?:DOCS|FILES)_TOKEN$/)

function ask(body: JsonObject | Body, env: Env = {}): Incoming {
  const url = 'https://api.openai.com/v1/responses'
  const { request } = redactorFor([], new URL(url), [], env)
  const sent = typeof body.kind === 'string' ? (body as Body) : readText(JSON.stringify(body))
  return readIncoming({ method: 'POST', url, body: sent }, { redact: request })
}

/** What is recorded for a request, as its file gives it back. */
function record(incoming: Incoming): Cassette {
  const { stored } = encodeCassette(recorded([incoming, 'yes']), 'schema.json')
  expect(JSON.stringify(stored)).not.toMatch(new RegExp(`${DOCS}|${FILES}|${OTHER}`))
  return decodeCassette(stored, () => Buffer.of())
}

/** The session of a test that sends a request. */
function sessionOf(cassette: Cassette, incoming: Incoming): Session {
  const session = openExample(cassette)
  session.answer(incoming, { order: 1 })
  return session
}

function failureIn(session: Session): RenderedFailure | undefined {
  const attempt = { passed: true, now: new Date('2026-06-01'), color: false }
  return judgeAttempt(session, attempt).failure
}

/** Why a request has no answer; `undefined` where it is replayed. */
function replay(cassette: Cassette, incoming: Incoming): Miss | undefined {
  const session = sessionOf(cassette, incoming)
  const [miss] = session.misses
  expect(failureIn(session)?.code).toBe(miss && 'miss')
  return miss
}

/** A miss for the prompt alone. */
const changedPrompt = expect.toSatisfy((miss: Miss | undefined) => !!miss && !miss.credential)
const anotherCredential = expect.objectContaining({ credential: expect.anything() })

test('it is said which credential changed, and how', async () => {
  const cassette = record(ask({ tools: two(DOCS, FILES) }, ENV))
  const unknown = record(ask({ tools: two(DOCS, FILES) }))
  const equal = record(ask({ tools: two(DOCS, DOCS) }))
  const failures = [
    failureIn(sessionOf(cassette, ask({ tools: two(FILES, DOCS) }, ENV))),
    failureIn(sessionOf(unknown, ask({ tools: two(DOCS, DOCS) }))),
    failureIn(sessionOf(equal, ask({ tools: two(DOCS, FILES) }))),
  ]
  const texts = failures.map((failure) => `${failure!.headline}\n\n${failure!.details}`)
  await expectGolden(texts.join('\n\n---\n\n'), 'another-credential')
})

type Place = [what: string, body: (first: string, second: string) => any]

const two = (first: JsonValue, second: JsonValue, more: JsonObject = {}): JsonValue => [
  { type: 'mcp', server_label: 'docs', authorization: first, ...more },
  { type: 'mcp', server_label: 'files', authorization: second, ...more },
]

const PLACES: Place[] = [
  ['Responses', (a, b) => ({ model: 'gpt-5', input: 'Hi', tools: two(a, b) })],
  ['Responses with a scheme', (a, b) => ({ tools: two(`Bearer ${a}`, `Bearer ${b}`) })],
  [
    'Messages',
    (a, b) => ({
      model: 'claude',
      messages: [],
      mcp_servers: [
        { type: 'url', url: 'https://a.io', name: 'a', authorization_token: a },
        { type: 'url', url: 'https://b.io', name: 'b', authorization_token: b },
      ],
    }),
  ],
  [
    'a batch of Messages',
    (a, b) => ({
      requests: [a, b].map((token) => ({
        custom_id: 'one',
        params: { mcp_servers: [{ type: 'url', url: 'https://a.io', authorization_token: token }] },
      })),
    }),
  ],
  [
    'headers of tools',
    (a, b) => ({
      tools: [
        { type: 'mcp', headers: { 'x-api-key': a, Authorization: `Bearer ${b}` } },
        { type: 'function', name: 'search', parameters: { authorization: { type: 'string' } } },
      ],
    }),
  ],
  [
    'Azure',
    (a, b) => ({
      data_sources: [
        {
          type: 'azure_search',
          parameters: {
            endpoint: 'https://a.search.windows.net',
            authentication: { type: 'api_key', key: a },
            embedding_dependency: { authentication: { type: 'access_token', access_token: b } },
          },
        },
      ],
    }),
  ],
  ['a session', (a, b) => ({ type: 'session.update', session: { tools: two(a, b) } })],
  [
    'a response on a socket',
    (a, b) => ({ type: 'response.create', response: { tools: two(a, b) } }),
  ],
  [
    'tools of the AI SDK',
    (a, b) => ({
      tools: [a, b].map((authorization) => ({
        type: 'provider',
        id: 'openai.mcp',
        args: { serverUrl: 'https://a.io', authorization, headers: { 'x-api-key': authorization } },
      })),
    }),
  ],
  [
    'options of the AI SDK',
    (a, b) => ({
      providerOptions: {
        anthropic: {
          mcpServers: [
            { type: 'url', name: 'a', url: 'https://a.io', authorizationToken: a },
            { type: 'url', name: 'b', url: 'https://b.io', authorizationToken: b },
          ],
        },
      },
    }),
  ],
  [
    'connectors of Mistral',
    (a, b) => ({
      tools: [a, b].map((value) => ({
        type: 'connector',
        connector_id: 'gmail',
        authorization: { type: 'oauth2-token', value },
      })),
    }),
  ],
  [
    'Gemini',
    (a, b) => ({
      contents: [],
      tools: [a, b].map((apiKeyString) => ({
        retrieval: {
          externalApi: { endpoint: 'https://a.io', apiAuth: { apiKeyConfig: { apiKeyString } } },
        },
      })),
    }),
  ],
  [
    'servers of Gemini',
    (a, b) => ({
      tools: [
        {
          mcpServers: [a, b].map((token) => ({
            name: 'a',
            streamableHttpTransport: {
              url: 'https://a.io',
              headers: { Authorization: `Bearer ${token}` },
            },
          })),
        },
      ],
    }),
  ],
  [
    'connectors of Cohere',
    (a, b) => ({ connectors: [a, b].map((token) => ({ id: 'x', user_access_token: token })) }),
  ],
]

test.for(PLACES)('of %s, no credential of another variable is replayed', ([, body]) => {
  const cassette = record(ask(body(DOCS, FILES), ENV))
  expect(replay(cassette, ask(body(DOCS, FILES), ENV))).toBeUndefined()
  for (const [first, second] of [
    [FILES, DOCS],
    [FILES, FILES],
    [DOCS, DOCS],
  ] as const)
    expect(replay(cassette, ask(body(first, second), ENV))).toMatchObject({
      credential: { recorded: OF_OURS, now: OF_OURS },
    })
  // Other values of the same variables, on a machine without them, and where each has the same dummy.
  const others = { DOCS_TOKEN: OTHER, FILES_TOKEN: DOCS }
  expect(replay(cassette, ask(body(OTHER, DOCS), others))).toBeUndefined()
  for (const dummy of ['x', 'dummy', 'dummy-token-for-tests', 'undefined'])
    for (const env of [{}, { DOCS_TOKEN: dummy, FILES_TOKEN: dummy }])
      expect(replay(cassette, ask(body(dummy, dummy), env))).toBeUndefined()
})

test.for(PLACES)('of %s, credentials that nobody knows stay equal or different', ([, body]) => {
  const cassette = record(ask(body(DOCS, FILES)))
  expect(replay(cassette, ask(body(OTHER, DOCS)))).toBeUndefined()
  expect(replay(cassette, ask(body(DOCS, DOCS)))).toMatchObject({ credential: { areSame: true } })
  expect(replay(cassette, ask(body('dummy', 'dummy')))).toBeUndefined()
  const equal = record(ask(body(DOCS, DOCS)))
  expect(replay(equal, ask(body(FILES, FILES)))).toBeUndefined()
  expect(replay(equal, ask(body(DOCS, FILES)))).toMatchObject({ credential: { areSame: false } })
  // Behind a scheme, no variable on CI gives such a text too.
  if (!JSON.stringify(body(DOCS, FILES)).includes('Bearer '))
    expect(replay(cassette, ask(body(DOCS, '')))).toEqual(changedPrompt)
})

test('one credential alone is known by its variable, whatever other variables hold it too', () => {
  const tools = (authorization: string): JsonObject => ({
    tools: [{ type: 'mcp', server_label: 'docs', authorization }],
  })
  const both = { DOCS_TOKEN: DOCS, GH_TOKEN: DOCS }
  const cassette = record(ask(tools(DOCS), both))
  for (const env of [both, { DOCS_TOKEN: DOCS }, { GH_TOKEN: DOCS, DOCS_TOKEN: FILES }, {}])
    expect(replay(cassette, ask(tools(DOCS), env))).toBeUndefined()
  expect(replay(cassette, ask(tools(DOCS), { LINEAR_TOKEN: DOCS }))).toMatchObject({
    credential: {
      path: 'tools[0].authorization',
      recorded: 'DOCS_TOKEN or GH_TOKEN',
      now: 'LINEAR_TOKEN',
    },
  })
  expect(replay(cassette, ask({ tools: [{ type: 'mcp', server_label: 'docs' }] }, both))).toEqual(
    changedPrompt,
  )
  const added = record(ask({ tools: [{ type: 'mcp', server_label: 'docs' }] }, both))
  expect(replay(added, ask(tools(DOCS), both))).toEqual(changedPrompt)
})

test('a recording that says nothing of its credentials replays as before (format 1.3)', () => {
  const body = { tools: two('<REDACTED:authorization>', '<REDACTED:authorization>') }
  const cassette = record(readIncoming(ask(body).sent))
  expect(replay(cassette, ask({ tools: two(DOCS, FILES) }, ENV))).toBeUndefined()
  expect(ask({ tools: two(DOCS, FILES) }, ENV).hash).toBe(readIncoming(ask(body).sent).hash)
  // Of a field that earlier releases compared, the variable is known by its value.
  const source = (key: string): JsonObject => ({
    data_sources: [{ parameters: { authentication: { type: 'api_key', key } } }],
  })
  const older = record(readIncoming(ask(source('<REDACTED:DOCS_TOKEN>')).sent))
  expect(replay(older, ask(source(DOCS), ENV))).toBeUndefined()
  expect(replay(older, ask(source(FILES), ENV))).toMatchObject({
    credential: { recorded: 'DOCS_TOKEN' },
  })
})

test('where two exchanges differ in their credentials alone, each is answered by its own', () => {
  const tools = (authorization: string): JsonObject => ({
    tools: [{ type: 'mcp', server_label: 'docs', authorization }],
  })
  const cassette = recorded([ask(tools(DOCS), ENV), 'docs'], [ask(tools(FILES), ENV), 'files'])
  const session = openExample(cassette)
  const answers = [FILES, DOCS].map((token, order) => {
    const answer = session.answer(ask(tools(token), ENV), { order })
    return answer.action === 'replay' ? textOf(answer.response.body) : answer.action
  })
  expect(answers[0]).toContain('files')
  expect(answers[1]).toContain('docs')
})

test('a recording that is made again holds the new credential, and stays where nothing changed', () => {
  const body = (first: string, second: string): JsonObject => ({ tools: two(first, second) })
  const old = record(ask(body(DOCS, FILES), ENV))
  const again = (incoming: Incoming): Cassette => keepUnchanged()(old, record(incoming))
  const swapped = again(ask(body(FILES, DOCS), ENV))
  expect(replay(swapped, ask(body(FILES, DOCS), ENV))).toBeUndefined()
  expect(replay(swapped, ask(body(DOCS, FILES), ENV))).toEqual(anotherCredential)
  // Whoever has no such variables takes nothing away.
  expect(replay(again(ask(body(DOCS, FILES))), ask(body(FILES, DOCS), ENV))).toEqual(
    anotherCredential,
  )
})

test('the lines of a batch are requests too', () => {
  const lines = (...tokens: string[]): Body =>
    readText(
      tokens
        .map((token) => JSON.stringify({ custom_id: 'a', body: { tools: two(token, token) } }))
        .map((line) => `${line}\n`)
        .join(''),
    )
  expect(lines(DOCS, FILES).kind).toBe('lines')
  const cassette = record(ask(lines(DOCS, FILES), ENV))
  expect(replay(cassette, ask(lines(DOCS, FILES), ENV))).toBeUndefined()
  expect(replay(cassette, ask(lines(FILES, DOCS), ENV))).toEqual(anotherCredential)
})

test('a description of what a model writes is no credential', () => {
  const body: JsonObject = {
    tools: [
      { type: 'function', name: 'log_in', parameters: { properties: { password: 'text' } } },
      { name: 'log_in', input_schema: { properties: { api_key: DOCS } } },
      { functionDeclarations: [{ name: 'log_in', parameters: { token: 'text' } }] },
      { type: 'web_search', filters: { allowed_domains: ['a.io'] } },
    ],
    messages: [{ content: 'x', authorization: 'none' }],
  }
  const sent = ask(body)
  expect(sent.wire).toBe(sent.sent)
})
