/** Files that a person can open, by their first bytes; the first row that fits counts. */
const KINDS: ReadonlyArray<readonly [start: RegExp, extension: string]> = [
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^\xff\xd8\xff/, 'jpg'],
  [/^GIF8[79]a/, 'gif'],
  [/^RIFF.{4}WEBP/s, 'webp'],
  [/^RIFF.{4}WAVE/s, 'wav'],
  [/^RIFF/, 'riff'],
  [/^%PDF-/, 'pdf'],
  [/^ID3/, 'mp3'],
  // A frame of layer III without tags before it.
  [/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xeb]/, 'mp3'],
  [/^OggS/, 'ogg'],
  [/^fLaC/, 'flac'],
  [/^.{4}ftypavi[fs]/s, 'avif'],
  [/^.{4}ftyp(?:hei[cx]|mif1)/s, 'heic'],
  [/^.{4}ftypM4A /s, 'm4a'],
  [/^.{4}ftypqt {2}/s, 'mov'],
  [/^.{4}ftyp/s, 'mp4'],
  [/^\x1aE\xdf\xa3/, 'webm'],
  [/^PK\x03\x04/, 'zip'],
]

/** Characters of base64 that hold the longest of these starts. */
const START = 24

/** The extension of a file that stands there as base64, or `undefined` where no person could open it. */
export function extensionOf(base64: string): string | undefined {
  const start = Buffer.from(base64.slice(0, START), 'base64').toString('latin1')
  return KINDS.find(([signature]) => signature.test(start))?.[1]
}
