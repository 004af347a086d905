import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../../../json/json-value.ts'
import { defined } from '../../../providers/fields.ts'
import type { TraceSpan } from './span.ts'

const MB = 1024 * 1024

/** The most that is kept in memory. What is more is kept in a file without a name, which ends with this process. */
const MOST_IN_MEMORY = 16 * MB

/** The spans of one trace, however they are scattered over files. */
interface KnownTrace {
  id: string
  /** Pieces of what is stored, each of one file: its number, where it begins, and how long it is. */
  pieces: number[]
}

/**
 * The spans of all files by their traces, of which one at a time is read, so that a run takes as much memory as its
 * largest trace.
 */
export class SpanStore implements Disposable {
  readonly #mostInMemory: number
  readonly #files = new Map<string, number>()
  readonly #dropped = new Set<number>()
  readonly #traces = new Map<string, KnownTrace>()
  /** What is not yet in the file. */
  #recent: Buffer[] = []
  #recentBytes = 0
  /** Where the first of {@link #recent} begins. */
  #written = 0
  #file: number | undefined

  /** @param mostInMemory in bytes */
  constructor(mostInMemory: number = MOST_IN_MEMORY) {
    this.#mostInMemory = mostInMemory
  }

  add(span: TraceSpan, file: string): void {
    const number = this.#numberOf(file)
    // JSON has no such numbers.
    const times = { start: span.start?.toString(), end: span.end?.toString() }
    const bytes = Buffer.from(`${JSON.stringify({ ...span, ...times })}\n`)
    const begin = this.#written + this.#recentBytes
    this.#recent.push(bytes)
    this.#recentBytes += bytes.length
    if (this.#recentBytes > this.#mostInMemory) this.#write()
    // Ids that a file lacks are no ids: what has none is no more than that of its file.
    const key = span.traceId.length < 8 ? `${number} ${span.traceId}` : span.traceId
    const known = this.#traces.get(key)
    if (!known) {
      this.#traces.set(key, { id: span.traceId, pieces: [number, begin, bytes.length] })
      return
    }
    const { pieces } = known
    const last = pieces.length - 3
    if (pieces[last] === number && pieces[last + 1]! + pieces[last + 2]! === begin)
      pieces[last + 2]! += bytes.length
    else pieces.push(number, begin, bytes.length)
  }

  /** Leaves out all that a file has told. */
  drop(file: string): void {
    this.#dropped.add(this.#numberOf(file))
  }

  /** The keys of all traces. */
  keys(): string[] {
    return [...this.#traces].flatMap(([key, trace]) => (this.#kept(trace).length > 0 ? key : []))
  }

  read(key: string): { id: string; spans: TraceSpan[]; files: string[] } {
    const trace = this.#traces.get(key)!
    const kept = this.#kept(trace)
    // A piece is never in two places.
    if (this.#file !== undefined && this.#recentBytes > 0) this.#write()
    const spans = kept.flatMap(([, begin, length]) =>
      this.#bytesAt(begin, length)
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => respelled(parseJson(line) as unknown as TraceSpan)),
    )
    const numbers = new Set(kept.map(([number]) => number))
    const files = [...this.#files].flatMap(([file, number]) => (numbers.has(number) ? file : []))
    return { id: trace.id, spans, files }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #numberOf(file: string): number {
    const number = this.#files.get(file) ?? this.#files.size
    this.#files.set(file, number)
    return number
  }

  #kept({ pieces }: KnownTrace): Array<[file: number, begin: number, length: number]> {
    return Array.from(
      { length: pieces.length / 3 },
      (_, at) => pieces.slice(at * 3, at * 3 + 3) as [number, number, number],
    ).filter(([file]) => !this.#dropped.has(file))
  }

  #write(): void {
    this.#file ??= openNameless()
    const all = Buffer.concat(this.#recent)
    for (let done = 0; done < all.length;)
      done += writeSync(this.#file, all, done, all.length - done, this.#written + done)
    this.#written += all.length
    this.#recent = []
    this.#recentBytes = 0
  }

  #bytesAt(begin: number, length: number): Buffer {
    if (begin < this.#written) {
      const bytes = Buffer.allocUnsafe(length)
      for (let done = 0; done < length;)
        done += readSync(this.#file!, bytes, done, length - done, begin + done)
      return bytes
    }
    // One buffer, since nothing is added any more.
    if (this.#recent.length > 1) this.#recent = [Buffer.concat(this.#recent)]
    const from = begin - this.#written
    return this.#recent[0]!.subarray(from, from + length)
  }
}

/** A file that nobody else can open, as production has said what stands in it. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'vitest-cassette-spans-'))
  try {
    return openSync(join(folder, 'spans'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function respelled({ start, end, ...span }: TraceSpan): TraceSpan {
  return defined({ ...span, start: start && BigInt(start), end: end && BigInt(end) })
}
