import {
  lstatSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { isWithin } from '../../config/paths.ts'
import { CassetteError } from '../../errors.ts'
import { parseJson } from '../../json/json-value.ts'
import { closestTo } from '../../text/closest-names.ts'
import { readUtf8 } from '../../wire/utf8.ts'
import { invalidCommand } from '../terminal/options.ts'
import { isGzip } from './bodies.ts'
import { type ForeignFile, type ForeignFormat, type ReadingOptions, TRACE } from './foreign.ts'
import { FOREIGN_FORMATS } from './formats/all.ts'
import { brokenFile } from './foreign-value.ts'
import { type KnownRecording, RecordingsReader } from './known-recording.ts'
import { tryRead } from './look.ts'
import { REFUSED } from './refused.ts'
import { SpanStore } from './traces/span-store.ts'
import { isTraceFile, readTraceFile, TRACE_HINT, type TraceFile } from './traces/trace-files.ts'
import { readYaml } from './yaml.ts'

/** A file that was named, or lies in a folder that was named, and of which nothing became. */
export interface UnreadFile {
  file: string
  /** For people. */
  reason: string
  /** The format that it comes nearest to, as `--from` names it. */
  nearest?: string
  /** It is of that format, and cannot be read. */
  isBroken?: boolean
}

/** All that was found in the files of other tools. */
export interface ForeignFiles {
  recordings: KnownRecording[]
  /** The files that hold traces of applications, and no requests. */
  traces: TraceFile[]
  /** What stands in these. */
  spans: SpanStore
  unread: UnreadFile[]
}

/**
 * Reads files of other tools, and all files of folders. What cannot be read is told, and stops no other file.
 *
 * @param options also say where names of files start from, and the name of a format, which all files are read as
 * @throws CassetteError `invalid-command` if there is no such file or no such format
 */
export function readForeign(
  names: readonly string[],
  options: ReadingOptions & { cwd: string; from?: string },
): ForeignFiles {
  const format = options.from === undefined ? undefined : formatNamed(options.from)
  const found: ForeignFiles = { recordings: [], traces: [], spans: new SpanStore(), unread: [] }
  const read = new Set<string>()
  const opened = names.flatMap((name) => filesOf(name, options.cwd, found.unread, read))
  const reader = new RecordingsReader()
  for (const file of opened) readFile(file, format, options, found, reader)
  // What other recordings have read from beside them is no file of its own.
  const besides = new Set(opened.filter(({ path }) => read.has(path)).map(({ name }) => name))
  const isOwn = ({ file }: { file: string }): boolean => !besides.has(file)
  for (const file of besides) found.spans.drop(file)
  return {
    spans: found.spans,
    recordings: found.recordings.filter(isOwn),
    traces: found.traces.filter(isOwn),
    unread: found.unread.filter(isOwn),
  }
}

function formatNamed(name: string): ForeignFormat {
  const format = FOREIGN_FORMATS.find((known) => known.name === name)
  if (format) return format
  const known = FOREIGN_FORMATS.map((one) => `  ${one.name.padEnd(12)} ${one.tools}\n`).join('')
  const [closest] = closestTo(
    name,
    FOREIGN_FORMATS.map((one) => one.name),
  )
  throw invalidCommand(
    `There is no format '${name}'.${closest === undefined ? '' : ` Did you mean ${closest}?`}\n\n${known}`,
  )
}

function readFile(
  file: OpenedFile,
  forced: ForeignFormat | undefined,
  options: ReadingOptions,
  found: ForeignFiles,
  reader: RecordingsReader,
): void {
  try {
    const format = forced ?? recognise(file)
    if ('reason' in format) return void found.unread.push({ file: file.name, ...format })
    try {
      if (format.read) {
        const read = (): ReturnType<typeof format.read> => format.read(file, options)
        found.recordings.push(...reader.look(read, () => file.forget()))
      } else found.traces.push(readTraceFile(file, found.spans, options))
    } catch (error) {
      const { message } = asBroken(error, file)
      found.unread.push({ file: file.name, reason: message, nearest: format.name, isBroken: true })
    }
  } catch (error) {
    found.unread.push({ file: file.name, reason: asBroken(error, file).message, isBroken: true })
  } finally {
    file.forget()
  }
}

/** An error about the file; others are faults of this package. */
function asBroken(error: unknown, file: OpenedFile): CassetteError {
  if (CassetteError.isInstance(error)) return error
  if (error instanceof Error && 'syscall' in error)
    return brokenFile(file.name, error.message, error)
  throw error
}

/** The format of a file; or why it has none, with the one that it comes nearest to. */
function recognise(
  file: OpenedFile,
): ForeignFormat | typeof TRACE | Pick<UnreadFile, 'reason' | 'nearest' | 'isBroken'> {
  const near: Array<Pick<UnreadFile, 'reason' | 'nearest'>> = []
  // The first is told by its beginning, so that the largest files are not read to be recognised.
  for (const format of FOREIGN_FORMATS) {
    const is = format.recognise(file)
    if (is === true) return format
    if (is !== false) near.push({ reason: is, nearest: format.name })
    // The second to be asked: the first has the largest files.
    if (format === FOREIGN_FORMATS[0] && isTraceFile(file)) return TRACE
  }
  const refused = REFUSED.find(({ is }) => is(file))
  if (refused) return { reason: refused.reason }
  if (near[0]) return near[0]
  const hinted = TRACE_HINT.test(file.head)
    ? TRACE
    : FOREIGN_FORMATS.find(({ hint }) => hint.test(file.head))
  if (!hinted) return { reason: 'it has nothing of any format' }
  const broken = file.problem()
  const reason = broken ?? 'it begins like one, and has not what all of them have'
  return { reason, nearest: hinted.name, isBroken: broken !== undefined || undefined }
}

/** The files that a name stands for: itself, or all in the folder, in order of their names. */
function filesOf(name: string, cwd: string, unread: UnreadFile[], read: Set<string>): OpenedFile[] {
  const path = resolve(cwd, name)
  let isFolder: boolean
  try {
    isFolder = statSync(path).isDirectory()
  } catch {
    throw invalidCommand(`There is no file ${name}.`)
  }
  if (!isFolder) return [new OpenedFile(name, path, dirname(path), read)]
  const nameOf = (inner: string): string => join(name, relative(path, inner)).replaceAll(sep, '/')
  return pathsBelow(path, unread, nameOf).map(
    (inner) => new OpenedFile(nameOf(inner), inner, path, read),
  )
}

/** Folders that hold no recordings, and much else. */
const SKIPPED = new Set(['.git', 'node_modules'])

function pathsBelow(
  folder: string,
  unread: UnreadFile[],
  nameOf: (path: string) => string,
): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : pathsBelow(path, unread, nameOf)
    if (entry.isFile()) return [path]
    const what = entry.isSymbolicLink() ? 'a link, which is not followed' : 'no file'
    unread.push({ file: nameOf(path), reason: `it is ${what}` })
    return []
  })
}

const HEAD_BYTES = 64 * 1024

const BLOCK_BYTES = 1024 * 1024

const MB = 1024 * 1024

/** The largest file that is read as a whole. HAR files and traces are not, and can be of any size. */
const MOST_BYTES = 256 * MB

/** The largest file of YAML, of which every value takes a hundred times as much memory while it is read. */
const MOST_OF_YAML = 32 * MB

class OpenedFile implements ForeignFile {
  readonly name: string
  readonly path: string
  readonly size: number
  /** The folder that nothing is read outside of. */
  readonly #folder: string
  readonly #read: Set<string>
  /** What has been parsed, or the error of it, by how. */
  readonly #parsed = new Map<string, { value: unknown } | { error: unknown }>()

  constructor(name: string, path: string, folder: string, read: Set<string>) {
    this.name = name
    this.path = path
    this.size = statSync(path).size
    this.#folder = folder
    this.#read = read
  }

  get head(): string {
    return this.#once('head', () => headOf(this.path))
  }

  text(): string {
    return this.#once('text', () => this.#readText())
  }

  json(): unknown {
    return this.#once('json', () => {
      try {
        return parseJson(this.text())
      } catch (error) {
        if (CassetteError.isInstance(error) && error.code === 'invalid-cassette') throw error
        throw brokenFile(this.name, `it is broken JSON: ${(error as Error).message}`, error)
      }
    })
  }

  yaml(): unknown {
    return this.#once('yaml', () => {
      if (this.size > MOST_OF_YAML)
        throw brokenFile(
          this.name,
          `it has more than ${MOST_OF_YAML / MB} MB of YAML, which is held whole: divide it, each file with some of its exchanges`,
        )
      return readYaml(this.text(), this.name)
    })
  }

  beside(path: string): Uint8Array | undefined {
    const target = resolve(dirname(this.path), path)
    if (isAbsolute(path) || !isWithin(this.#folder, target))
      throw brokenFile(
        this.name,
        `it names the file ${JSON.stringify(path)}, which is outside of its folder`,
      )
    let real: string
    try {
      real = realpathSync(target)
      if (!lstatSync(real).isFile()) return undefined
    } catch {
      return undefined
    }
    if (!isWithin(realpathSync(this.#folder), real))
      throw brokenFile(
        this.name,
        `it names the file ${JSON.stringify(path)}, a link out of its folder`,
      )
    this.#read.add(target)
    return readFileSync(real)
  }

  /** What is wrong with a file that was looked at as JSON or YAML; undefined if nothing is known to be. */
  problem(): string | undefined {
    for (const result of this.#parsed.values())
      if ('error' in result) return (result.error as Error).message
    return undefined
  }

  /** Lets go of all that was read. */
  forget(): void {
    this.#parsed.clear()
  }

  *blocks(): Generator<Buffer> {
    if (isPacked(this.path)) return yield this.#readBytes()
    const handle = openSync(this.path, 'r')
    try {
      const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, this.size || 1))
      for (let read = readSync(handle, block); read > 0; read = readSync(handle, block))
        yield block.subarray(0, read)
    } finally {
      closeSync(handle)
    }
  }

  /** The whole file, unpacked: some keep their recordings packed with gzip. */
  #readBytes(): Buffer {
    if (this.size > MOST_BYTES) throw this.#tooLarge()
    const bytes = readFileSync(this.path)
    if (!isPacked(this.path)) return bytes
    try {
      return gunzipSync(bytes, { maxOutputLength: MOST_BYTES })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw this.#tooLarge()
      throw brokenFile(this.name, 'it is packed with gzip, and broken', error)
    }
  }

  #tooLarge(): CassetteError {
    return brokenFile(
      this.name,
      `it has more than ${MOST_BYTES / MB} MB, which only HAR files and traces can have: all others are held whole. Divide it`,
    )
  }

  #readText(): string {
    const text = readUtf8(this.#readBytes())
    if (text === undefined) throw brokenFile(this.name, 'it is no text in UTF-8')
    return text.replace(/^\ufeff/, '')
  }

  #once<Value>(how: string, read: () => Value): Value {
    let result = this.#parsed.get(how)
    if (!result) {
      try {
        result = { value: read() }
      } catch (error) {
        result = { error }
      }
      this.#parsed.set(how, result)
    }
    if ('error' in result) throw result.error
    return result.value as Value
  }
}

function headOf(path: string): string {
  const bytes = firstBytes(path, HEAD_BYTES)
  // What there is of a packed text that is cut.
  const flush = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_BYTES }
  const head = isGzip(bytes) ? (tryRead(() => gunzipSync(bytes, flush)) ?? bytes) : bytes
  return head.toString('utf8', 0, HEAD_BYTES).replace(/^\ufeff/, '')
}

function isPacked(path: string): boolean {
  return isGzip(firstBytes(path, 3))
}

function firstBytes(path: string, count: number): Buffer {
  const handle = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(count)
    return bytes.subarray(0, readSync(handle, bytes))
  } finally {
    closeSync(handle)
  }
}
