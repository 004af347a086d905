import { expect, test } from 'vitest'
import { kindOfFile } from '../../src/prompt/file-kinds.ts'

const riff = (kind: string): Buffer =>
  Buffer.concat([Buffer.from('RIFF'), Buffer.from([1, 2, 3, 4]), Buffer.from(`${kind}data`)])

test.each([
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'png', 'image/png'],
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'jpg', 'image/jpeg'],
  ['a GIF', Buffer.from('GIF89a....'), 'gif', 'image/gif'],
  ['an older GIF', Buffer.from('GIF87a....'), 'gif', 'image/gif'],
  ['a WebP, whatever its size', riff('WEBP'), 'webp', 'image/webp'],
  ['a sound in the same container', riff('WAVE'), 'wav', undefined],
  ['a PDF', Buffer.from('%PDF-1.7 '), 'pdf', undefined],
  ['an MP3', Buffer.from('ID3\x04\0\0'), 'mp3', undefined],
  ['a video', Buffer.from('00000020667479706d703432', 'hex'), 'mp4', undefined],
])('%s is known by its first bytes', (_, bytes, extension, picture) => {
  const kind = kindOfFile(bytes.toString('base64'))
  expect(kind?.extension).toBe(extension)
  expect(kind?.picture).toBe(picture)
})

test('what begins like nothing known is no file', () => {
  expect(kindOfFile(Buffer.from('Hello, world').toString('base64'))).toBeUndefined()
})
