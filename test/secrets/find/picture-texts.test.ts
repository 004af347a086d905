import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { readText, textOf } from '../../../src/wire/body.ts'
import { findSecrets, type FoundSecret } from '../../../src/secrets/find-secrets.ts'
import { picturesWithTexts, textsOfPicture } from '../../../src/secrets/find/picture-texts.ts'
import { redactorFor } from '../../../src/secrets/redactor.ts'
import { exampleExchange } from '../../cassette/example-cassette.ts'
import { credentials } from '../../reliability/credentials.ts'

const key = credentials.find(({ issuer }) => issuer === 'Anthropic')!.value

/** As large as a real picture, and without a text by accident. */
const PIXELS = Buffer.from(
  Array.from({ length: 40_000 }, (_, index) => (index * index * 7919) % 31),
)

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

function png(...pieces: Array<[type: string, data: Buffer]>): Buffer {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.alloc(13)),
    chunk('IDAT', PIXELS),
    ...pieces.map(([type, data]) => chunk(type, data)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function jpeg(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, type, 0, 0])
  head.writeUInt16BE(data.length + 2, 4)
  return Buffer.concat([head, data, Buffer.from([0xff, 0xda, 0, 2]), PIXELS])
}

function webp(type: string, data: Buffer): Buffer {
  const lengthOf = (length: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(length)
    return bytes
  }
  const body = Buffer.concat([
    Buffer.from('WEBPVP8 '),
    lengthOf(PIXELS.length),
    PIXELS,
    Buffer.from(type),
    lengthOf(data.length),
    data,
  ])
  return Buffer.concat([Buffer.from('RIFF'), lengthOf(body.length), body])
}

const text = (said: string): Buffer => Buffer.from(said)
/** A picture for each place of a value. */
function placesOf(value: string, before = 'Made with'): Array<[place: string, picture: Buffer]> {
  const said = `${before} ${value}`
  const XMP = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><dc:description>${said}</dc:description></x:xmpmeta>`
  return [
    ['tEXt of PNG', png(['tEXt', text(`Comment\0${said}`)])],
    ['zTXt of PNG', png(['zTXt', Buffer.concat([text('Comment\0\0'), deflateSync(said)])])],
    ['iTXt of PNG', png(['iTXt', text(`Comment\0\0\0en\0Kommentar\0${said}`)])],
    [
      'packed iTXt of PNG',
      png(['iTXt', Buffer.concat([text('Comment\0\x01\0\0\0'), deflateSync(said)])]),
    ],
    ['EXIF of PNG', png(['eXIf', text(`MM\0*\0\0\0\x08ASCII\0\0\0${said}\0`)])],
    ['EXIF of JPEG', jpeg(0xe1, text(`Exif\0\0II*\0\x08\0\0\0ASCII\0\0\0${said}\0`))],
    [
      'EXIF of JPEG, two bytes a character',
      jpeg(0xe1, Buffer.concat([text('Exif\0\0UNICODE\0'), Buffer.from(said, 'utf16le')])),
    ],
    ['XMP of JPEG', jpeg(0xe1, text(XMP))],
    ['comment of JPEG', jpeg(0xfe, text(said))],
    ['EXIF of WebP', webp('EXIF', text(`II*\0\x08\0\0\0${said}\0`))],
  ]
}

const PLACES = placesOf(key)

async function find(picture: string): Promise<FoundSecret[]> {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }
  const request = { messages: [{ content: 'Look' }, { content: [image] }] }
  const exchanges = [exampleExchange(1, request)]
  const cassette = { conversationId: 'a', timestamp: '2026-01-02T03:04:05.000Z', exchanges }
  return (await findSecrets(encodeCassette(cassette, '').stored, exchanges)).secrets
}

test.for(PLACES)(
  'a credential in %s is found, at the place of the picture',
  async ([, picture]) => {
    expect(await find(picture.toString('base64'))).toMatchObject([
      {
        pointer: '/exchanges/0/request/body/messages/1/content/0/image_url/url',
        rule: 'anthropic',
      },
    ])
  },
)

test.for(PLACES)(
  'a known value in %s replaces the picture, as its variable is named',
  ([, picture]) => {
    const asked = redacted(picture, key)
    // A failure would print the picture.
    expect(asked.url.slice(0, 100)).toMatch(
      /^data:image\/png;base64,<REDACTED:ACME_API_KEY>\+[0-9a-f]{12}$/,
    )
    expect(asked.other).toBe('Look')
  },
)

const other = credentials.find(({ issuer }) => issuer === 'OpenAI project')!.value

test.each(placesOf(key).map((place, index) => [place[0], index] as const))(
  'with a known value in %s, what the picture shows and says counts, whatever the value is',
  (_, index) => {
    const [, picture] = placesOf(key)[index]!
    const [, elsewhere] = placesOf(other)[index]!
    expect(redacted(elsewhere, other)).toEqual(redacted(picture, key))
    const shows = Buffer.from(picture)
    const at = shows.indexOf(PIXELS.subarray(0, 40)) + 20
    shows[at] = shows[at]! ^ 1
    expect(redacted(shows, key)).not.toEqual(redacted(picture, key))
    const [, says] = placesOf(key, 'Drawn by')[index]!
    expect(redacted(says, key)).not.toEqual(redacted(picture, key))
  },
)

function redacted(picture: Buffer, value: string): { url: string; other: string } {
  const redactor = redactorFor([], new URL('https://api.openai.com/'), [], { ACME_API_KEY: value })
  const url = `data:image/png;base64,${picture.toString('base64')}`
  const { body } = redactor.request({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: readText(JSON.stringify({ url, other: 'Look' })),
  })
  return JSON.parse(textOf(body)) as { url: string; other: string }
}

test('a small picture, which stays in its text, is read too', async () => {
  const small = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('tEXt', text(`Comment\0${key}`)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  expect(await find(small.toString('base64'))).toMatchObject([{ rule: 'anthropic' }])
})

test('a keyword of PNG names a value without a shape', async () => {
  const { value } = credentials.find(({ issuer }) => issuer === 'Azure OpenAI')!
  const picture = png(['tEXt', text(`AZURE_OPENAI_API_KEY\0${value}`)])
  expect(await find(picture.toString('base64'))).toMatchObject([{ rule: 'named-credential' }])
})

test('pictures without metadata, and broken ones, hold no texts', async () => {
  const cut = png(['zTXt', text('Comment\0\0not packed at all')]).subarray(0, 40_000)
  const endless = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1_000, 0xff)])
  for (const picture of [png(), jpeg(0xe0, text('JFIF')), webp('ICCP', text('any')), endless])
    expect(textsOfPicture(picture)).toBe('')
  for (const picture of [cut, endless, cut.subarray(0, 5)]) {
    expect(() => textsOfPicture(picture)).not.toThrow()
    expect(picturesWithTexts(picture.toString('base64'))).toEqual([])
  }
  expect(await find(png().toString('base64'))).toEqual([])
})

test('metadata is read without the picture', () => {
  const large = Buffer.concat([jpeg(0xfe, text('Made here')), Buffer.alloc(2 ** 20, 7)])
  const base64 = large.toString('base64')
  const decoding = vi.spyOn(Buffer, 'from')
  onTestFinished(() => decoding.mockRestore())
  expect(picturesWithTexts(base64)).toHaveLength(1)
  const decoded = decoding.mock.results.map(({ value }) => (value as Buffer).length)
  expect(decoded.reduce((sum, length) => sum + length)).toBeLessThan(200)
})
