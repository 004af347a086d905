/** A kind of file, recognised by its first bytes in hex. */
interface FileKind {
  start: RegExp
  /** The extension of its files. */
  extension: string
  /** The media type, for a picture that models see. */
  picture?: string
}

/** The first row that fits counts. */
const KINDS: readonly FileKind[] = [
  { start: /^89504e470d0a1a0a/, extension: 'png', picture: 'image/png' },
  { start: /^ffd8ff/, extension: 'jpg', picture: 'image/jpeg' },
  { start: /^474946383[79]61/, extension: 'gif', picture: 'image/gif' },
  { start: /^52494646.{8}57454250/, extension: 'webp', picture: 'image/webp' },
  { start: /^52494646.{8}57415645/, extension: 'wav' },
  { start: /^52494646/, extension: 'riff' },
  { start: /^255044462d/, extension: 'pdf' },
  // With tags, and a frame of layer III without.
  { start: /^494433/, extension: 'mp3' },
  { start: /^ff(?:e[23]|f[23ab])[1-9a-e][0-9ab]/, extension: 'mp3' },
  { start: /^4f676753/, extension: 'ogg' },
  { start: /^664c6143/, extension: 'flac' },
  // The brand of a container tells its content.
  { start: /^.{8}66747970617669(?:66|73)/, extension: 'avif' },
  { start: /^.{8}66747970(?:686569[67][38]|6d696631)/, extension: 'heic' },
  { start: /^.{8}667479704d344120/, extension: 'm4a' },
  { start: /^.{8}6674797071742020/, extension: 'mov' },
  { start: /^.{8}66747970/, extension: 'mp4' },
  { start: /^1a45dfa3/, extension: 'webm' },
  { start: /^504b0304/, extension: 'zip' },
]

/** Characters of base64 that hold the longest of these starts. */
const START = 16

/** The kind of a file that a person can open, from its base64; `undefined` for all else. */
export function kindOfFile(base64: string): FileKind | undefined {
  const start = Buffer.from(base64.slice(0, START), 'base64').toString('hex')
  return KINDS.find((kind) => kind.start.test(start))
}
