import { expect, test } from 'vitest'
import { readPaintedLines } from '../../../src/tools/page/run-failures.ts'
import { showText } from '../../../src/tools/page/show-text.ts'
import { cassetteOf, ReportProject, sourceOf, TURN } from './report-project.ts'

const HOSTILE = [
  ['a script that ends early', '</script><script>alert(1)</script>'],
  ['markup', '<img src=x onerror="alert(1)">'],
  ['a comment', '<!-- --> ]]>'],
  ['line separators', 'one\u2028two\u2029three'],
] as const

test.each(HOSTILE)(
  'no data file can be ended from inside, and the text stays: %s',
  async (_, text) => {
    using project = new ReportProject()
    const turn = {
      ...TURN,
      question: text,
      answer: text,
      result: text,
      arguments: { [text]: text },
    }
    await project.write([sourceOf('a.json', cassetteOf(`a.test.ts > ${text}`, [turn]))])
    for (const file of project.files('data'))
      expect(project.text(`data/${file}`)).not.toMatch(/[<>\u2028\u2029]/)
    const { id } = project.index.rows[0]!
    const { threads } = project.read(`data/${id}.js`) as ReturnType<ReportProject['cassette']>
    const said = threads[0]!.exchanges[0]!.entries.find(({ role }) => role === 'user')
    expect(said!.parts).toEqual([{ type: 'text', text: showText(text) }])
  },
)

test.each([
  ['colours of a terminal', '\u001b[31mred\u001b[0m', '<U+001B>[31mred<U+001B>[0m'],
  ['a title of a terminal', '\u001b]0;owned\u0007', '<U+001B>]0;owned<U+0007>'],
  ['text that is turned around', 'safe\u202ecod.exe', 'safe<U+202E>cod.exe'],
  ['an isolate', '\u2066a\u2069', '<U+2066>a<U+2069>'],
  ['letters that nobody sees', 'a\u{e0069}\u{e0067}b', 'a<tags:ig>b'],
  ['a blank of no width', 'a\u200bb', 'a<U+200B>b'],
  ['a carriage return', 'a\rb', 'a\\rb'],
])('what nobody sees is written out: %s', (_, text, shown) => {
  expect(showText(text)).toBe(shown)
})

test('what people write stays: tabs, lines, emoji, other scripts', () => {
  const text = 'a\tb\nc 👩‍👩‍👧 שלום مرحبا'
  expect(showText(text)).toBe(text)
})

test('a name that every object has is a parameter like any other', async () => {
  using project = new ReportProject()
  const turn = { ...TURN, arguments: JSON.parse('{"__proto__":{"polluted":1}}') }
  await project.write([sourceOf('a.json', cassetteOf('a.test.ts > one', [turn]))])
  const [call] = project.cassette('one').threads[0]!.exchanges[0]!.entries.at(-1)!.calls
  expect(call!.parameters).toContain('"__proto__"')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('the colours of a failure become kinds of lines', () => {
  const text =
    '  \u001b[1mmessage 1\u001b[22m\n\u001b[31m    - Be \u001b[7mkind\u001b[27m.\u001b[39m\n\u001b[32m    + Be quick.\u001b[39m\nplain'
  expect(readPaintedLines(text)).toEqual([
    { kind: 'plain', spans: [{ text: '  ' }, { text: 'message 1' }] },
    {
      kind: 'removed',
      spans: [{ text: '    - Be ' }, { text: 'kind', marked: true }, { text: '.' }],
    },
    { kind: 'added', spans: [{ text: '    + Be quick.' }] },
    { kind: 'plain', spans: [{ text: 'plain' }] },
  ])
})

test('without colours, the marks in front of lines say the same', () => {
  const lines = readPaintedLines('    - Be [-kind-].\n    + Be {+quick+}.\n      same')
  expect(lines.map(({ kind }) => kind)).toEqual(['removed', 'added', 'plain'])
})
