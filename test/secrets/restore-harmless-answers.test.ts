import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/json/json-value.ts'
import { redactFields } from '../../src/secrets/find/known-fields.ts'
import { showHarmless } from '../../src/secrets/restore-plain-values.ts'
import { jsonOf, readText, type Body } from '../../src/wire/body.ts'

const show = (body: Body): Body => showHarmless({ status: 200, headers: {}, body }).body
const bodyOf = (value: JsonObject): Body => readText(JSON.stringify(value))
const OPAQUE = 'vitest-cassette-opens-nothing'

test.for<[what: string, sent: JsonObject, shown: JsonObject]>([
  [
    'a key made for a browser',
    { client_secret: { value: 'ek_1', expires_at: 1 } },
    { client_secret: { value: `ek_${OPAQUE}`, expires_at: 1 } },
  ],
  ['its second form', { value: 'ek_1', expires_at: 1 }, { value: `ek_${OPAQUE}`, expires_at: 1 }],
  [
    'a server of tools',
    { tools: [{ type: 'mcp', server_label: 'a', authorization: 'x' }], output: [{ id: 'm1' }] },
    { tools: [{ type: 'mcp', server_label: 'a', authorization: OPAQUE }], output: [{ id: 'm1' }] },
  ],
  [
    'a token',
    { access_token: 'x', refresh_token: 'y', token_type: 'Bearer', expires_in: 3600 },
    { access_token: OPAQUE, refresh_token: OPAQUE, token_type: 'Bearer', expires_in: 3600 },
  ],
])('a field that is not kept has a value of its shape in replay: %s', ([, sent, shown]) => {
  const kept = redactFields(bodyOf(sent), 'server')
  expect(jsonOf(kept)).not.toEqual(sent)
  expect(jsonOf(show(kept))).toEqual(shown)
  // Sent back in such a field, it is the same again.
  expect(jsonOf(redactFields(show(kept), 'server'))).toEqual(jsonOf(kept))
})

test('a token that says who somebody is can be read', () => {
  const body = redactFields(
    bodyOf({ access_token: 'x', id_token: 'y.z.', token_type: 'Bearer' }),
    'server',
  )
  const { id_token: token } = jsonOf(show(body)) as { id_token: string }
  expect(JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())).toHaveProperty(
    'exp',
  )
})

test('what is redacted for another reason stays, and an answer without such a field is the same one', () => {
  const others = bodyOf({
    text: '<REDACTED:OPENAI_API_KEY>',
    words: 'a <REDACTED:value> b',
    n: [1],
  })
  expect(show(others)).toBe(others)
})
