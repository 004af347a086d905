interface Params {
  name: string
  arguments?: Record<string, unknown>
  [more: string]: unknown
}

/** What it is, what is sent, and what the error says. */
export const BAD_INPUTS: [title: string, params: Params, message: string][] = [
  ['another tool', { name: 'askAnything' }, 'There is no tool askAnything.'],
  ['no question', { name: 'askQuestion', arguments: {} }, 'at question'],
  ['no arguments', { name: 'askQuestion' }, 'expected object'],
  ['an empty question', { name: 'askQuestion', arguments: { question: ' ' } }, 'at question'],
  ['a question that is no text', { name: 'askQuestion', arguments: { question: 7 } }, 'string'],
  [
    'an argument that does not exist',
    { name: 'askQuestion', arguments: { question: 'Why?', chat: 'chat_1' } },
    'Unrecognized key: "chat"',
  ],
  [
    'a chat that does not exist',
    { name: 'askQuestion', arguments: { question: 'Why?', chatId: 'chat_1' } },
    'There is no chat chat_1.',
  ],
]
