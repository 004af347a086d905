import fc from 'fast-check'
import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import { textOf } from '../../src/wire/body.ts'
import { readRequestBody } from '../../src/wire/read-body.ts'
import { readForm, type FormPart } from '../../src/wire/form-data.ts'

const MP3 = Uint8Array.of(0xff, 0xfb, 0x90, 0x00, 13, 10, 45, 45)

type Field = [name: string, value: string | Uint8Array<ArrayBuffer>, filename?: string]

/** A form as a client sends it; its boundary is another every time. */
async function sent(...fields: Field[]): Promise<{ bytes: Uint8Array; type: string }> {
  const form = new FormData()
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string' && filename === undefined) form.append(name, value)
    else form.append(name, new Blob([value], { type: 'audio/mpeg' }), filename)
  }
  const request = new Request('https://api.openai.com/', { method: 'POST', body: form })
  const bytes = new Uint8Array(await request.arrayBuffer())
  return { bytes, type: request.headers.get('content-type')! }
}

async function partsOf(...fields: Field[]): Promise<FormPart[] | undefined> {
  const { bytes, type } = await sent(...fields)
  return readForm(bytes, type)
}

async function hashOf(...fields: Field[]): Promise<string> {
  const { bytes, type } = await sent(...fields)
  const body = readRequestBody(bytes, type)
  expect(body.kind).toBe('form')
  const url = 'https://api.openai.com/v1/audio/transcriptions'
  return readIncoming({ method: 'POST', url, body }).hash
}

const RECORDING: Field[] = [
  ['file', MP3, 'hello.mp3'],
  ['model', 'whisper-1'],
  ['options', '{"a": 1}'],
]

test('reads the parts of a form', async () => {
  expect(await partsOf(...RECORDING)).toEqual([
    {
      name: 'file',
      filename: 'hello.mp3',
      type: 'audio/mpeg',
      base64: Buffer.from(MP3).toString('base64'),
    },
    { name: 'model', text: 'whisper-1' },
    { name: 'options', text: '{"a": 1}' },
  ])
})

test('a boundary does not count, everything else does', async () => {
  const [one, other] = [await sent(...RECORDING), await sent(...RECORDING)]
  expect(one.type).not.toBe(other.type)
  const hash = await hashOf(...RECORDING)
  expect(await hashOf(...RECORDING)).toBe(hash)
  const changed: Field[][] = [
    [['file', MP3.with(0, 1), 'hello.mp3'], ...RECORDING.slice(1)],
    [['file', MP3, 'other.mp3'], ...RECORDING.slice(1)],
    [RECORDING[0]!, ['model', 'whisper-2'], RECORDING[2]!],
    RECORDING.slice(0, 2),
    RECORDING.toReversed(),
  ]
  const hashes = new Set([hash])
  for (const fields of changed) hashes.add(await hashOf(...fields))
  expect(hashes.size).toBe(changed.length + 1)
})

test.each(['application/json', 'multipart/form-data', 'multipart/form-data; boundary=other', ''])(
  'is nothing to a body that calls itself %j',
  async (type) => {
    const { bytes } = await sent(...RECORDING)
    expect(readForm(bytes, type)).toBeUndefined()
    expect(readRequestBody(bytes, type).kind).toBe('bytes')
  },
)

test('is nothing to a form that was cut', async () => {
  const { bytes, type } = await sent(...RECORDING)
  expect(readForm(bytes.subarray(0, -10), type)).toBeUndefined()
})

test('reads a large file', async () => {
  const large = new Uint8Array(30_000_000).fill(255)
  const [part] = (await partsOf(['file', large, 'a.bin']))!
  expect((part!.base64 as string).length).toBe(40_000_000)
})

test('any form comes back field by field', async () => {
  const name = fc.stringMatching(/^[a-z[\]]{1,8}$/)
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\r?\n|\r/g, '\r\n')),
    fc.uint8Array(),
  ) as fc.Arbitrary<string | Uint8Array<ArrayBuffer>>
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { minLength: 1 }), async (fields) => {
      const { bytes, type } = await sent(...fields)
      const parts = readForm(bytes, type)!
      expect(parts.map((part) => part.name)).toEqual(fields.map(([field]) => field))
      for (const [index, [, said]] of fields.entries()) {
        const { text, base64 } = parts[index]!
        const bytes = typeof said === 'string' ? Buffer.from(said) : Buffer.from(said)
        if (text !== undefined) expect(Buffer.from(text as string)).toEqual(bytes)
        if (base64 !== undefined) expect(Buffer.from(base64 as string, 'base64')).toEqual(bytes)
      }
    }),
  )
})

test('a client sends the same form twice', async () => {
  const bodies: unknown[] = []
  const types = new Set<string>()
  const client = new OpenAI({
    apiKey: 'none',
    async fetch(input, init) {
      const request = new Request(input, init)
      // The client first tries out whether a `fetch` of its own can send forms at all.
      if (!request.url.startsWith('https:')) return new Response()
      const type = request.headers.get('content-type')!
      types.add(type)
      bodies.push(readRequestBody(new Uint8Array(await request.arrayBuffer()), type))
      return Response.json({ text: 'Hello.' })
    },
  })
  for (let time = 0; time < 2; time++) {
    const file = await toFile(MP3, 'hello.mp3')
    await client.audio.transcriptions.create({ file, model: 'whisper-1' })
  }
  expect(types.size).toBe(2)
  expect(bodies[1]).toEqual(bodies[0])
  expect(bodies[0]).toMatchObject({
    kind: 'form',
    parts: expect.arrayContaining([{ name: 'model', text: 'whisper-1' }]),
  })
})

test('a form has a text that a person can read', async () => {
  const { bytes, type } = await sent(['model', 'whisper-1'])
  expect(textOf(readRequestBody(bytes, type))).toBe('{"name":"model","text":"whisper-1"}')
})

function raw(...headers: string[]): FormPart[] | undefined {
  const lines = [
    '--x',
    'Content-Disposition: form-data; name="prompt"',
    ...headers,
    '',
    'SGk=',
    '--x--',
    '',
  ]
  return readForm(Buffer.from(lines.join('\r\n')), 'multipart/form-data; boundary=x')
}

test.each([
  ['Content-Transfer-Encoding: base64', { 'content-transfer-encoding': 'base64' }],
  [
    'content-transfer-encoding: Quoted-Printable',
    { 'content-transfer-encoding': 'quoted-printable' },
  ],
  ['Content-Encoding: gzip', { 'content-encoding': 'gzip' }],
  ['Content-Language: de', { 'content-language': 'de' }],
  ['Content-ID: <a>', { 'content-id': '<a>' }],
])('a part with %s is another one', (header, headers) => {
  expect(raw(header)).toEqual([{ name: 'prompt', headers, text: 'SGk=' }])
})

test.each(['Content-Transfer-Encoding: binary', 'Content-Length: 4', 'X-Trace: 1'])(
  'a part with %s is the same',
  (header) => {
    expect(raw(header)).toEqual(raw())
  },
)
