interface Params {
  name: string
  arguments?: Record<string, unknown>
  [more: string]: unknown
}

/** The title of each bad input, the request, and the text of the error. */
export const BAD_INPUTS: [title: string, params: Params, message: string][] = [
  ['another tool', { name: 'askAnything' }, 'There is no tool askAnything.'],
  ['no question', { name: 'askQuestion', arguments: {} }, 'question must be a string'],
  ['no arguments', { name: 'askQuestion' }, 'expected object'],
  [
    'an empty question',
    { name: 'askQuestion', arguments: { question: ' ' } },
    'question must be a string',
  ],
  [
    'a question that is no text',
    { name: 'askQuestion', arguments: { question: 7 } },
    'question must be a string',
  ],
  [
    'an argument that does not exist',
    { name: 'askQuestion', arguments: { question: 'Why?', chat: 'chat_1' } },
    'Unrecognized key: "chat"',
  ],
  [
    'a chat id that is no text',
    { name: 'askQuestion', arguments: { question: 'Why?', chatId: 7 } },
    'at chatId',
  ],
]
