import type { JsonValue } from '../../src/json/json-value.ts'
import { readText, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { events, STREAM } from '../wire/streamed-texts.ts'

const text = (said: string): JsonValue => ({ type: 'text', text: said })
const block = (index: number, said: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text: said },
})
const streamed = (values: unknown[]): Body => readBody(Buffer.from(events(values)), STREAM)
const json = (value: unknown): Body => readText(JSON.stringify(value))
const gemini = (parts: string[]): object => ({
  candidates: [{ content: { role: 'model', parts: parts.map((said) => ({ text: said })) } }],
})

/** Texts that are read one after the other, in the bodies in which they travel. */
export const BODIES: Record<string, (texts: string[]) => Body> = {
  'blocks of an answer': (texts) => json({ role: 'assistant', content: texts.map(text) }),
  'blocks with citations between them': (texts) =>
    json({
      content: texts.map((said) => ({ type: 'text', text: said, citations: [{ url: 'a' }] })),
    }),
  'a list of texts': (output) => json({ id: 'a', output }),
  'a list that is the whole answer': (texts) => json(texts),
  'parts of a candidate': (texts) => json(gemini(texts)),
  'items of an answer, with thoughts between them': (texts) =>
    json({
      output: texts.flatMap((said) => [
        { type: 'message', content: [{ type: 'output_text', text: said, annotations: [] }] },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Well' }] },
      ]),
    }),
  messages: (texts) => json({ messages: texts.map((content) => ({ role: 'user', content })) }),
  'messages of one part each': (texts) =>
    json({ messages: texts.map((said) => ({ role: 'user', content: [text(said)] })) }),
  'messages, the first of which are texts and the last a part': (texts) =>
    json({
      messages: texts.map((said, index) => ({
        role: 'user',
        content: index === texts.length - 1 ? [text(said)] : said,
      })),
    }),
  'instructions and messages': ([system, ...texts]) =>
    json({ system: system!, messages: texts.map((content) => ({ role: 'user', content })) }),
  'arguments of a call': (lines) => json({ call: { arguments: JSON.stringify({ n: 1, lines }) } }),
  'input of a call': (lines) => json({ content: [{ type: 'tool_use', input: { lines } }] }),
  'JSON that is spelled in an odd way': (texts) =>
    readText(`{"a":1, "content" :${JSON.stringify(texts.map(text))}}`),
  'deltas of several blocks': (texts) => streamed(texts.map((said, index) => block(index, said))),
  'parts of streamed candidates': ([first, ...texts]) =>
    streamed([
      gemini(texts.length > 1 ? [first!, texts[0]!] : [first!]),
      gemini(texts.length > 1 ? texts.slice(1) : texts),
    ]),
  'candidates in a list': (texts) => json(texts.map((said) => gemini([said]))),
  lines: (texts) =>
    readBody(
      Buffer.from(texts.map((response) => `${JSON.stringify({ response })}\n`).join('')),
      'application/x-ndjson',
    ),
  'parts of a form': (texts) => ({
    kind: 'form',
    parts: texts.map((value) => ({ name: 'prompt', value })) as never,
  }),
}
