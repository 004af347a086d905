import { expect, test } from 'vitest'
import { dialectFor, promptFor } from '../../src/engine/read-prompt.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { pointsByPicture, pointsIn } from '../../src/features/compare-pictures.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'

const [ONE, TWO] = ['A', 'B'].map((letter) => 'iVBORw0KGgo' + letter.repeat(2_001)) as [
  string,
  string,
]

test.for<[string, JsonValue, Array<[x: number, y: number]>]>([
  ['coordinate', { action: 'left_click', coordinate: [3, 4] }, [[3, 4]]],
  [
    'two coordinates',
    { start_coordinate: [1, 2], coordinate: [3, 4] },
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['x and y', { type: 'click', button: 'left', x: 3.5, y: 0 }, [[3.5, 0]]],
  [
    'a path',
    {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'two of them',
    { x: 1, y: 2, destination_x: 3, destination_y: 4 },
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['deep in it', { actions: [{ at: { x: 1, y: 2 } }] }, [[1, 2]]],
  ['no point', { text: 'x', max: 3, x: 'left', y: 4, coordinate: [1], index: 5 }, []],
  ['only one number', { x: 3 }, []],
])('%s: %j', ([, value, points]) => {
  expect(pointsIn(value)).toEqual(points.map(([x, y]) => ({ x, y })))
})

test('a picture has the points named after it and before the next, the last those of the answer', () => {
  const { prompt, pictures } = ask([
    ...shown(ONE, 'call-1'),
    call('call-2', { action: 'left_click', coordinate: [10, 20] }),
    ...shown(TWO, 'call-2'),
  ])
  const points = pointsByPicture(prompt, [
    { name: 'computer', arguments: { coordinate: [30, 40] } },
  ])
  expect(pictures.map(({ hash }) => points.get(hash))).toEqual([
    [{ x: 10, y: 20 }],
    [{ x: 30, y: 40 }],
  ])
})

test('a picture that is sent twice has the points of both', () => {
  const { prompt, pictures } = ask([
    ...shown(ONE, 'call-1'),
    call('call-2', { coordinate: [1, 2] }),
    ...shown(ONE, 'call-2'),
  ])
  const points = pointsByPicture(prompt, [{ name: 'computer', arguments: { x: 3, y: 4 } }])
  expect(points.get(pictures[0]!.hash)).toEqual([
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ])
})

test('points stand on the display that the tool declares', () => {
  const tools = [
    {
      type: 'computer_20251124',
      name: 'computer',
      display_width_px: 1_024,
      display_height_px: 768,
    },
  ]
  const { prompt, pictures } = ask(shown(ONE, 'call-1'), tools)
  const points = pointsByPicture(prompt, [{ name: 'computer', arguments: { coordinate: [3, 4] } }])
  const plane = { width: 1_024, height: 768 }
  expect(points.get(pictures[0]!.hash)).toEqual([{ x: 3, y: 4, plane }])
})

test('a picture is found where a dialect does not look for one', () => {
  const inlineData = (data: string): JsonValue => ({ inlineData: { mimeType: 'image/png', data } })
  const parts = [inlineData(TWO)]
  const contents = [
    { role: 'user', parts: [{ text: 'Pay.' }, inlineData(ONE)] },
    { role: 'model', parts: [{ functionCall: { name: 'tap', args: { x: 1, y: 2 } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'tap', response: {}, parts } }] },
  ]
  const { prompt, pictures } = read({
    method: 'POST',
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
    body: readText(JSON.stringify({ contents })),
  })
  const points = pointsByPicture(prompt, [{ name: 'tap', arguments: { x: 3, y: 4 } }])
  expect(pictures.map(({ hash }) => points.get(hash))).toEqual([[{ x: 1, y: 2 }], [{ x: 3, y: 4 }]])
})

test('computer-use of OpenAI names points of its display', () => {
  const output = { type: 'computer_screenshot', image_url: `data:image/png;base64,${ONE}` }
  const { prompt, pictures, dialect } = read({
    method: 'POST',
    url: 'https://api.openai.com/v1/responses',
    body: readText(
      JSON.stringify({
        model: 'computer-use-preview',
        tools: [{ type: 'computer_use_preview', display_width: 1_024, display_height: 768 }],
        input: [
          { type: 'computer_call', call_id: 'call-1', action: { type: 'screenshot' } },
          { type: 'computer_call_output', call_id: 'call-1', output },
        ],
      }),
    ),
  })
  const action = { type: 'click', button: 'left', x: 3, y: 4 }
  const answer = { output: [{ type: 'computer_call', call_id: 'call-2', action }] }
  const { toolCalls } = dialect.readCompletion({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readText(JSON.stringify(answer)),
  })
  const points = pointsByPicture(prompt, toolCalls)
  const plane = { width: 1_024, height: 768 }
  expect(points.get(pictures[0]!.hash)).toEqual([{ x: 3, y: 4, plane }])
})

test("Gemini's tools for browsers count in thousandths", () => {
  const { prompt, pictures } = ask(shown(ONE, 'call-1'))
  const points = pointsByPicture(prompt, [{ name: 'click_at', arguments: { x: 500, y: 250 } }])
  const plane = { width: 1_000, height: 1_000 }
  expect(points.get(pictures[0]!.hash)).toEqual([{ x: 500, y: 250, plane }])
})

test('a declared tool of the same name counts in pixels', () => {
  const tools = [{ name: 'click_at', input_schema: { type: 'object' } }]
  const { prompt, pictures } = ask(shown(ONE, 'call-1'), tools)
  const points = pointsByPicture(prompt, [{ name: 'click_at', arguments: { x: 500, y: 250 } }])
  expect(points.get(pictures[0]!.hash)).toEqual([{ x: 500, y: 250 }])
})

test('without a call after it a picture has no points', () => {
  const { prompt, pictures } = ask([...shown(ONE, 'call-1'), ...shown(TWO, 'call-1')])
  const points = pointsByPicture(prompt, [])
  expect(pictures.map(({ hash }) => points.get(hash))).toEqual([[], []])
})

/** A request to Anthropic, whose tools answer with pictures. */
function ask(messages: JsonValue[], tools: JsonValue[] = []) {
  return read({
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    body: readText(JSON.stringify({ model: 'claude', max_tokens: 9, tools, messages })),
  })
}

function call(id: string, input: JsonValue): JsonValue {
  return { role: 'assistant', content: [{ type: 'tool_use', id, name: 'computer', input }] }
}

function shown(data: string, id: string): JsonValue[] {
  const source = { type: 'base64', media_type: 'image/png', data }
  const content = [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'image', source }] }]
  return [{ role: 'user', content }]
}

function read(wire: WireRequest) {
  const incoming = readIncoming(wire)
  const { pictures } = incoming
  return { prompt: promptFor(incoming), dialect: dialectFor(incoming), pictures }
}
