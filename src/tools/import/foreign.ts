import type { WrittenResponse } from '../../cassette/cassette.ts'

/** A recording of another tool: what one of its files holds. */
export interface ForeignRecording {
  /** The file it comes from, as the user named it or as it lies in the folder that the user named. */
  file: string
  /** The format, as `--from` names it: `har`, `nock`, … */
  format: string
  /** What the recording says about its test: titles, in order, or one name. Absent where it says nothing. */
  name?: string | string[]
  /** The file of its test, where the recording names one; as its tool wrote it. */
  testFile?: string
  exchanges: ForeignExchange[]
  /** What the file holds and no exchange does, with how often: `a WebSocket` → 2. */
  leftOut: Map<string, number>
}

/** A request and its answer as another tool has kept them. Nothing in it is guessed. */
export interface ForeignExchange {
  request: ForeignRequest
  response: ForeignResponse
  /** ISO 8601; when the request was sent, where the file says so. */
  time?: string
  /** Milliseconds from the request to the end of the answer, where the file says so. */
  durationMs?: number
}

/** As much of a request as the file holds. */
export interface ForeignRequest {
  /** In upper case; absent where the file has answers alone. */
  method?: string
  /** Absolute; or a path where the file does not have the host; absent where the file has answers alone. */
  url?: string
  /** Without those of transport, as in an answer. Absent where the file does not hold headers at all. */
  headers?: Array<[name: string, value: string]>
  /** Decoded: without base64, gzip or other encodings of transport. Empty for a request without a body. Absent where the file does not hold it. */
  body?: Uint8Array
  /** The tool has parsed the body and wrote it anew, so that the spelling of what was sent is lost. */
  isRespelled?: boolean
  /** The values that the tool has put in the place of others, as they stand in the URL or the body. */
  redacted?: string[]
  /** Where the file holds rules that requests have to meet instead of requests (aimock, Copilot's snapshots): the rules, for people. */
  rules?: string
}

/** An answer as the file holds it. */
export interface ForeignResponse {
  status: number
  /** Without `content-encoding`, `content-length` and `transfer-encoding`, since the body is decoded. */
  headers: Array<[name: string, value: string]>
  /** Decoded. A list for a stream, whatever its content type: one event, one line or one frame each. */
  body: Uint8Array | Uint8Array[]
  /** What the model says, where the file holds this and not the bytes of an answer (aimock, Copilot's snapshots); `body` is empty then. */
  written?: WrittenResponse
}

/** How one tool writes its recordings. One of them is one file in `formats/`. */
export interface ForeignFormat {
  /** As `--from` names it. */
  name: string
  /** The tools that write it, for people: `Polly.JS, browsers, Playwright`. */
  tools: string
  /** What stands at the beginning of most of its files, to name the nearest format of a file that is broken. */
  hint: RegExp
  /**
   * How much a file looks like this format, by its content.
   *
   * @returns true if it is; the reason why not if it is nearly; false if it has nothing of it
   */
  recognise(file: ForeignFile): boolean | string
  /**
   * Reads a file: one recording, or several where it is large and can be read in parts, each of which is let go before
   * the next one.
   *
   * @throws CassetteError `invalid-cassette` with the place in the file and what stands there, if it is broken.
   */
  read(file: ForeignFile, options: ReadingOptions): Iterable<ForeignRecording>
}

/** Stands for the format of a trace, which holds no requests. */
export const TRACE: { name: string; read?: undefined } = { name: 'a trace' }

/** How files are read. */
export interface ReadingOptions {
  /**
   * Whether an exchange is kept, by its request; asked before its answer is decoded. What is not kept is counted as
   * left out.
   *
   * @returns true, or the reason why not
   */
  keep?(request: ForeignRequest): true | string
  /** Told now and then how many bytes of a large file have been read. */
  onProgress?(file: ForeignFile, read: number): void
}

/** A file that may be a recording. */
export interface ForeignFile {
  /** As the user named it or as it lies in the folder that the user named. */
  name: string
  /** Absolute. */
  path: string
  /** Its size in bytes. */
  size: number
  /** Its first 64 KB, for recognising. */
  head: string
  /** All of it, as JSON, YAML, or lines. Each is parsed once. */
  json(): unknown
  yaml(): unknown
  text(): string
  /** All of it in pieces, for files that are too large for a text. A piece is only good until the next one. */
  blocks(): Iterable<Buffer>
  /**
   * The bytes of another file, by its path from this one; `undefined` if there is none.
   *
   * @throws CassetteError `invalid-cassette` for a path that leads out of the folder
   */
  beside(path: string): Uint8Array | undefined
}
