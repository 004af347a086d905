import type { Edit } from './edits.ts'
import type { Sent } from './sent.ts'

const ADDRESS = 'https://api.openai.com/v1'

/** A part of a form, line by line. */
interface Part {
  name: string
  more?: string
  type?: string
  content: string
}

function form(parts: Part[], boundary = 'x-1'): Sent {
  const texts = parts.map(({ name, more = '', type, content }) =>
    [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${more}`,
      ...(type ? [`content-type: ${type}`] : []),
      '',
      content,
    ].join('\r\n'),
  )
  return {
    method: 'POST',
    url: `${ADDRESS}/audio/transcriptions`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${texts.join('\r\n')}\r\n--${boundary}--\r\n`,
  }
}

const MODEL: Part = { name: 'model', content: 'whisper-1' }
const PROMPT: Part = { name: 'prompt', content: 'The picnic is on Sunday.' }
const FILE: Part = {
  name: 'file',
  more: '; filename="a.jsonl"',
  type: 'application/jsonl',
  content: '{"messages":[{"role":"user","content":"Hello"}],"metadata":{"call_id":"of-bob"}}',
}
const PARTS = [MODEL, PROMPT, FILE]

const withFile = (change: Partial<Part>): Sent => form([MODEL, PROMPT, { ...FILE, ...change }])

/** Edits of a form, by their kind. */
const FORM_EDITS: Record<string, Sent> = {
  'another boundary': form(PARTS, 'x-2'),
  'parts in another order': form([PROMPT, MODEL, FILE]),
  'a part less': form([MODEL, FILE]),
  'a part more': form([...PARTS, { name: 'language', content: 'en' }]),
  'a part twice': form([...PARTS, PROMPT]),
  'another name of a part': form([MODEL, { ...PROMPT, name: 'prompt_2' }, FILE]),
  'another text in a part': form([MODEL, { ...PROMPT, content: 'The picnic is on Monday.' }, FILE]),
  'a line more in a part': form([MODEL, { ...PROMPT, content: `${PROMPT.content}\n` }, FILE]),
  'another name of a file': withFile({ more: '; filename="b.jsonl"' }),
  'no name of a file': withFile({ more: '' }),
  'another type of a file': withFile({ type: 'text/plain' }),
  'no type of a file': withFile({ type: undefined }),
  'another word in a file': withFile({ content: FILE.content.replace('Hello', 'Hallo') }),
  'keys of a file in another order': withFile({
    content: '{"metadata":{"call_id":"of-bob"},"messages":[{"role":"user","content":"Hello"}]}',
  }),
  'white space in a file': withFile({ content: FILE.content.replace(':', ': ') }),
  'a key twice in a file': withFile({ content: FILE.content.replace('{', '{"messages":[],') }),
  'a number of a file spelled otherwise': withFile({
    content: FILE.content.replace('}}', ',"n":1.0}}'),
  }),
  'white space in JSON of a part': form([MODEL, { ...PROMPT, content: '{"a": 1}' }, FILE]),
  'data named like an id in a file': withFile({
    content: FILE.content.replace('of-bob', 'of-alice'),
  }),
}

const LINES = ['Hello', 'Bye'].map((content, at) => ({
  custom_id: `${at}`,
  body: { model: 'gpt-5', temperature: at, messages: [{ role: 'user', content }] },
}))

function lines(values: unknown[], end = '\n'): Sent {
  const body = values.map((value) => `${JSON.stringify(value)}${end}`).join('')
  return { method: 'POST', url: `${ADDRESS}/files`, headers: {}, body }
}

const LINE_EDITS: Record<string, Sent> = {
  'another end of lines': lines(LINES, '\r\n'),
  'lines in another order': lines(LINES.toReversed()),
  'a line less': lines(LINES.slice(1)),
  'a line twice': lines([...LINES, LINES[0]]),
  'another word in a line': lines([LINES[0], { ...LINES[1], custom_id: 'two' }]),
  'a key more in a line': lines([LINES[0], { ...LINES[1], tool_call_id: 'of-bob' }]),
}

function text(body: string, type = 'text/plain'): Sent {
  return { method: 'POST', url: `${ADDRESS}/speech`, headers: { 'content-type': type }, body }
}

const FORM_TEXT = 'text=Hello&voice=anna'

/** Bodies that are no JSON, with their edits. */
export const OTHER_BODIES: Array<[name: string, sent: Sent, edits: Edit[]]> = [
  ['a form', form(PARTS), named(FORM_EDITS)],
  ['JSON lines', lines(LINES), named(LINE_EDITS)],
  [
    'a text',
    text('Say hello.'),
    named({
      'another letter': text('Say hallo.'),
      'another case': text('say hello.'),
      'a space more': text('Say hello. '),
      'no text': text(''),
      'the text as JSON': text('"Say hello."'),
    }),
  ],
  [
    'fields as in an address',
    text(FORM_TEXT, 'application/x-www-form-urlencoded'),
    named(
      Object.fromEntries(
        ['text=Hallo&voice=anna', 'text=Hello', 'voice=anna&text=Hello', `${FORM_TEXT}&key=a`].map(
          (body) => [body, text(body, 'application/x-www-form-urlencoded')],
        ),
      ),
    ),
  ],
  [
    'a parameter twice',
    asking('style=calm&style=loud&order=asc'),
    named({
      'its values exchanged': asking('style=loud&style=calm&order=asc'),
      'one of its values': asking('style=calm&order=asc'),
      'a value twice': asking('style=calm&style=calm&order=asc'),
      'both values in one': asking('style=calm,loud&order=asc'),
    }),
  ],
]

/** A request whose address names a parameter twice. */
function asking(query: string): Sent {
  return { ...text('Say hello.'), url: `${ADDRESS}/speech?${query}` }
}

function named(edits: Record<string, Sent>): Edit[] {
  return Object.entries(edits).map(([kind, sent]) => ({ kind, place: 'body', sent }))
}
