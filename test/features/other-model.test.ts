import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { withModel } from '../../src/features/other-model.ts'
import { readText } from '../../src/wire/body.ts'

test.for<[url: string, body: object, asked: string]>([
  [
    'https://api.openai.com/v1/chat/completions',
    { model: 'a', messages: [{ role: 'user', content: 'Hi.' }] },
    '/v1/chat/completions',
  ],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/a:generateContent',
    { contents: [{ parts: [{ text: 'Hi.' }] }] },
    '/v1beta/models/b-2:generateContent',
  ],
  [
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/a/converse',
    { messages: [{ role: 'user', content: [{ text: 'Hi.' }] }] },
    '/model/b-2/converse',
  ],
])('a model is another one wherever it stands: %s', ([url, body, path]) => {
  const request = { method: 'POST', url, body: readText(JSON.stringify(body)) }
  const other = withModel(request, 'b-2')
  expect(new URL(other.url).pathname).toBe(path)
  expect(dialectOf(other).readPrompt(other).model).toBe('b-2')
})
