/** What a file is, by how its base64 begins. */
interface FileKind {
  start: RegExp
  /** How its files are called. */
  extension: string
  /** The type of a picture. */
  picture?: string
}

const KINDS: readonly FileKind[] = [
  { start: /^iVBORw0KGgo/, extension: 'png', picture: 'image/png' },
  { start: /^\/9j\//, extension: 'jpg', picture: 'image/jpeg' },
  { start: /^R0lGOD[ld]h/, extension: 'gif', picture: 'image/gif' },
  // The size stands between the two.
  { start: /^UklGR.{6}XRUJQ/, extension: 'riff', picture: 'image/webp' },
  { start: /^UklGR/, extension: 'riff' },
  { start: /^JVBERi0/, extension: 'pdf' },
  { start: /^(?:SUQz|\/\/(?:uQ|sw))/, extension: 'mp3' },
  { start: /^T2dnUw/, extension: 'ogg' },
  { start: /^ZkxhQw/, extension: 'flac' },
  { start: /^AAAA[IH]GZ0eX/, extension: 'mp4' },
  { start: /^GkXfo/, extension: 'webm' },
  { start: /^UEsDB/, extension: 'zip' },
]

/** The kind of a file that a person can open; `undefined` for all else. */
export function kindOfFile(base64: string): FileKind | undefined {
  return KINDS.find(({ start }) => start.test(base64))
}
