import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { lookAtPicture } from '../../src/features/look-at-picture.ts'
import { BUTTON, screenshot } from '../engine/screens.ts'

test('a picture has its size, its mean colour and 1,024 grey pixels', async () => {
  const sight = await look(await plain('#102030', 40, 20))
  expect(sight).toMatchObject({ width: 40, height: 20 })
  expect(sight.tone.map(Math.round)).toEqual([0x10, 0x20, 0x30])
  expect(sight.grey).toHaveLength(1_024)
  expect(sight.grey.map(Math.round).every((value) => value === 29)).toBe(true)
})

test.for(['png', 'jpeg', 'webp'] as const)('%s is read', async (format) => {
  expect(await look(await screenshot({}, format))).toMatchObject({ width: 640, height: 480 })
})

test('what is transparent is white', async () => {
  const bytes = sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000000' } })
  const { tone } = await look((await bytes.png().toBuffer()).toString('base64'))
  expect(tone.map(Math.round)).toEqual([255, 255, 255])
})

test('a picture is seen as it is shown, also where a camera was turned', async () => {
  const halves = `<svg width="40" height="20"><rect width="20" height="20"/></svg>`
  const picture = sharp(Buffer.from(halves)).flatten({ background: 'white' })
  const turned = await picture.withMetadata({ orientation: 6 }).png().toBuffer()
  const { width, height, grey } = await look(turned.toString('base64'))
  expect({ width, height }).toEqual({ width: 20, height: 40 })
  // What was on the left is above.
  expect([grey[0], grey[31], grey[992], grey[1_023]].map((value) => value! > 128)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('a square shows what is in it, and what lies beyond the edge is cut off', async () => {
  const base64 = await screenshot({ button: '#ff0000' })
  const { tone } = await look(base64, { centre: { x: BUTTON.x - 60, y: BUTTON.y }, side: 20 })
  expect(tone.map(Math.round)).toEqual([255, 0, 0])
  for (const centre of [
    { x: 0, y: 0 },
    { x: 639, y: 479 },
    { x: 639.9, y: 0.2 },
  ])
    expect(await look(base64, { centre, side: 100 })).toMatchObject({ width: 640, height: 480 })
})

test('a point on a plane of another size is found in the picture', async () => {
  const base64 = await screenshot({ button: '#ff0000' })
  const centre = { x: 656, y: 833, plane: { width: 1_000, height: 1_000 } }
  const { tone } = await look(base64, { centre, side: 20 })
  expect(tone.map(Math.round)).toEqual([255, 0, 0])
})

test.for([
  { x: -1, y: 5 },
  { x: 640, y: 5 },
  { x: 5, y: 9_999 },
])('around a point outside of the picture, $x and $y, the whole is looked at', async (centre) => {
  const base64 = await screenshot()
  expect(await look(base64, { centre, side: 64 })).toEqual(await look(base64))
})

test.for<[string, () => Promise<Buffer>, RegExp]>([
  ['a truncated picture', async () => (await bytes()).subarray(0, 1_500), /^cannot be read: /],
  ['a picture with rubbish in it', async () => spoil(await bytes()), /^cannot be read: /],
  ['what only begins like a picture', async () => spoil(Buffer.alloc(3_000)), /^cannot be read: /],
  ['an empty picture', async () => Buffer.alloc(0), /^cannot be read: /],
  ['a page of text', async () => Buffer.from('<html>'.repeat(300)), /^cannot be read: /],
  ['an animated picture', animated, /^is animated$/],
  ['a small file that claims 64 million pixels', bomb, /^cannot be read: .*pixel limit/],
])('%s cannot be compared, and it is said why', async ([, make, fault]) => {
  const seen = await lookAtPicture((await make()).toString('base64'))
  expect(seen).toEqual({ fault: expect.stringMatching(fault) as string })
})

type Square = NonNullable<Parameters<typeof lookAtPicture>[1]>

async function look(base64: string, square?: Square) {
  const seen = await lookAtPicture(base64, square)
  if ('fault' in seen) throw new Error(seen.fault)
  return seen
}

async function plain(background: string, width: number, height: number): Promise<string> {
  const picture = sharp({ create: { width, height, channels: 3, background } })
  return (await picture.png().toBuffer()).toString('base64')
}

async function bytes(): Promise<Buffer> {
  return Buffer.from(await screenshot(), 'base64')
}

function spoil(picture: Buffer): Buffer {
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, picture.subarray(8, 600), Buffer.alloc(600, 7)])
}

async function animated(): Promise<Buffer> {
  const frames = [await bytes(), Buffer.from(await screenshot({ banner: true }), 'base64')]
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** A whole PNG but for the size in its header, whose checksum is made to fit. */
async function bomb(): Promise<Buffer> {
  const picture = await bytes()
  picture.writeUInt32BE(8_000, 16)
  picture.writeUInt32BE(8_000, 20)
  picture.writeUInt32BE(crc32(picture.subarray(12, 29)), 29)
  return picture
}
