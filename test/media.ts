import { createHash } from 'node:crypto'

/** How files of common kinds begin, and what a person would call them. */
export const MEDIA: Readonly<Record<string, string>> = {
  jpg: 'ffd8ffe000104a464946',
  png: '89504e470d0a1a0a0000000d49484452',
  gif: '474946383961',
  webp: `52494646${'00100000'}57454250`,
  wav: `52494646${'ffffffff'}57415645666d7420`,
  mp3: '4944330400000000',
  'mp3 without tags': 'fff364c4',
  mp4: '0000002066747970' + '69736f6d',
  'mp4 of other brands': '0000001866747970' + '6d703432',
  mov: '0000001466747970' + '71742020',
  m4a: '0000001c66747970' + '4d344120',
  avif: '0000002066747970' + '61766966',
  ogg: '4f67675300020000',
  flac: '664c614300000022',
  webm: '1a45dfa3a3428681',
  pdf: '255044462d312e37',
  zip: '504b0304140000000800',
  gz: '1f8b0800000000000003',
  pcm: '',
}

/** A file of a kind: how it begins, and then what no compression makes smaller. */
export function mediaOf(kind: string, size: number): Buffer {
  const start = Buffer.from(MEDIA[kind]!, 'hex')
  const blocks: Buffer[] = [start]
  for (let index = 0; index * 32 < size; index++)
    blocks.push(createHash('sha256').update(`${kind} ${index}`).digest())
  return Buffer.concat(blocks).subarray(0, size)
}
