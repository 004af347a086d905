import { expect, test } from 'vitest'
import { variablesSent } from '../../../src/secrets/find/sent-keys.ts'

const URL = 'https://api.openai.com/v1/chat/completions'

test.each<
  [what: string, headers: Record<string, string>, url: string, names: string[] | undefined]
>([
  ['a bearer token', { authorization: 'Bearer sk-mine' }, URL, ['MY_KEY']],
  ['a header of its own', { 'x-api-key': 'sk-other' }, URL, ['OPENAI_API_KEY', 'COPY']],
  ['a parameter of the address', {}, `${URL}?key=sk-mine`, ['MY_KEY']],
  ['a value that no variable has', { authorization: 'Bearer sk-unknown' }, URL, []],
  ['an empty token', { authorization: 'Bearer ' }, URL, undefined],
  ['a scheme alone', { authorization: 'Bearer' }, URL, undefined],
  ['none', { 'content-type': 'application/json' }, URL, undefined],
])('finds the variable whose value was sent: %s', (_, headers, url, names) => {
  const env = { COPY: 'sk-other', EMPTY: '', MY_KEY: 'sk-mine', OPENAI_API_KEY: 'sk-other' }
  expect(variablesSent(Object.entries(headers), url, env)).toEqual(names)
})
