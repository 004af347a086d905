/** Files that a person can open, by their first bytes in hex; the first row that fits counts. */
const KINDS: ReadonlyArray<readonly [start: RegExp, extension: string]> = [
  [/^89504e470d0a1a0a/, 'png'],
  [/^ffd8ff/, 'jpg'],
  [/^474946383[79]61/, 'gif'],
  [/^52494646.{8}57454250/, 'webp'],
  [/^52494646.{8}57415645/, 'wav'],
  [/^52494646/, 'riff'],
  [/^255044462d/, 'pdf'],
  // With tags, and a frame of layer III without.
  [/^494433/, 'mp3'],
  [/^ff(?:e[23]|f[23ab])[1-9a-e][0-9ab]/, 'mp3'],
  [/^4f676753/, 'ogg'],
  [/^664c6143/, 'flac'],
  // The brand of a container says what is in it.
  [/^.{8}66747970617669(?:66|73)/, 'avif'],
  [/^.{8}66747970(?:686569[67][38]|6d696631)/, 'heic'],
  [/^.{8}667479704d344120/, 'm4a'],
  [/^.{8}6674797071742020/, 'mov'],
  [/^.{8}66747970/, 'mp4'],
  [/^1a45dfa3/, 'webm'],
  [/^504b0304/, 'zip'],
]

/** Characters of base64 that hold the longest of these starts. */
const START = 16

/** The extension of a file that stands there as base64, or `undefined` where no person could open it. */
export function extensionOf(base64: string): string | undefined {
  const start = Buffer.from(base64.slice(0, START), 'base64').toString('hex')
  return KINDS.find(([signature]) => signature.test(start))?.[1]
}
