import { expect, test } from 'vitest'

interface Sent {
  path: string
  headers: Record<string, string>
  body: any
}

function asked(): Sent {
  return {
    path: '/v1/chat/completions?api-version=2&max_tokens=10&key=a',
    headers: { 'content-type': 'application/json', authorization: 'Bearer a' },
    body: {
      model: 'gpt-5',
      temperature: 0,
      metadata: { call_id: 'of-bob' },
      messages: [
        { role: 'user', content: 'Hang up.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_a',
              type: 'function',
              function: { name: 'a', arguments: '{"call_id":"a"}' },
            },
            { id: 'call_b', type: 'function', function: { name: 'b', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'done' },
        { role: 'tool', tool_call_id: 'call_b', content: 'busy' },
        { role: 'user', content: 'Thanks.' },
      ],
    },
  }
}

const replaced =
  (from: string, to: string) =>
  (sent: Sent): void => {
    const text = JSON.stringify(sent)
    expect(text).toContain(from)
    Object.assign(sent, JSON.parse(text.replaceAll(from, to)))
  }

const edits: Record<string, (sent: Sent) => void> = {
  'passes: nothing': () => {},
  'passes: other ids of the calls': (sent) => {
    replaced('"call_a"', '"call_1"')(sent)
    replaced('"call_b"', '"call_2"')(sent)
  },
  'passes: another key in the address': replaced('&key=a', '&key=b'),
  'passes: another key in a header': replaced('Bearer a', 'Bearer b'),
  'passes: keys in another order': (sent) => {
    sent.body = Object.fromEntries(Object.entries(sent.body).toReversed())
  },
  'fails: results of each other': ({ body: { messages } }) => {
    messages[2].tool_call_id = 'call_b'
    messages[3].tool_call_id = 'call_a'
  },
  'fails: data that is named like an id': replaced('of-bob', 'of-alice'),
  'fails: an argument that is named like an id': ({ body: { messages } }) => {
    messages[1].tool_calls[0].function.arguments = '{"call_id":"b"}'
  },
  'fails: the model': replaced('gpt-5', 'gpt-6'),
  'fails: a number': replaced('"temperature":0', '"temperature":1'),
  'fails: a key more': ({ body }) => void (body.tool_call_id = 'a'),
  'fails: a key less': ({ body }) => void delete body.temperature,
  'fails: messages in another order': ({ body: { messages } }) =>
    void messages.push(...messages.splice(2, 1)),
  'fails: a space': replaced('Thanks.', 'Thanks. '),
  'fails: a parameter of the address': replaced('max_tokens=10', 'max_tokens=9999'),
  'fails: a version in the address': replaced('api-version=2', 'api-version=3'),
  'fails: a word in the address': replaced('&key=a', '&key=a&keyword=red'),
}

test.each(Object.entries(edits))('%s', async (_, edit) => {
  const sent = asked()
  if (process.env.CHANGED === '1') edit(sent)
  const { path, headers, body } = sent
  const url = `${process.env.ODD_URL}${path}`
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
})
