import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ForeignFiles, readForeign } from '../../../src/tools/import/files.ts'
import type {
  ForeignExchange,
  ForeignRecording,
  ReadingOptions,
} from '../../../src/tools/import/foreign.ts'

/** What was found in files, with all exchanges. */
export interface WholeFiles extends Omit<ForeignFiles, 'recordings'> {
  recordings: ForeignRecording[]
}

/** Reads files, and all exchanges in them. */
export function readWhole(...args: Parameters<typeof readForeign>): WholeFiles {
  const { recordings, ...others } = readForeign(...args)
  const whole = recordings.map(({ file, format, name, testFile, leftOut, exchanges }) => ({
    file,
    format,
    ...(name === undefined ? {} : { name }),
    ...(testFile === undefined ? {} : { testFile }),
    leftOut,
    exchanges: exchanges(),
  }))
  return { ...others, recordings: whole }
}

/** A folder with files of other tools. */
export class ForeignFolder {
  readonly path: string

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'foreign-'))
  }

  /** Writes a file: a text or bytes as they are, anything else as JSON. */
  write(name: string, content: unknown): string {
    const path = join(this.path, name)
    mkdirSync(dirname(path), { recursive: true })
    const isWhole = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, isWhole ? content : JSON.stringify(content, null, 2))
    return path
  }

  read(options: ReadingOptions & { from?: string } = {}, names: string[] = ['.']): WholeFiles {
    return readWhole(names, { cwd: this.path, ...options })
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A folder that is gone when its test is over. */
export function foreignFolder(files: Record<string, unknown> = {}): ForeignFolder {
  const folder = new ForeignFolder()
  onTestFinished(() => folder.remove())
  for (const [name, content] of Object.entries(files)) folder.write(name, content)
  return folder
}

/** The recording of the only file in a folder. */
export function readOne(
  content: unknown,
  name: string = 'recording.json',
  options: ReadingOptions & { from?: string } = {},
): ForeignRecording {
  const { recordings, unread } = foreignFolder({ [name]: content }).read(options)
  if (unread.length > 0) throw new Error(unread.map(({ reason }) => reason).join('\n'))
  return recordings[0]!
}

/** The text of the body of a request; undefined where the file does not hold it. */
export function sent({ request }: ForeignExchange): string | undefined {
  return request.body && Buffer.from(request.body).toString()
}

/** The text of the body of an answer. */
export function received({ response: { body } }: ForeignExchange): string {
  return Buffer.concat(Array.isArray(body) ? body : [body]).toString()
}

/** The texts of the pieces of a stream. */
export function pieces({ response: { body } }: ForeignExchange): string[] {
  if (!Array.isArray(body)) throw new Error('The answer is no stream.')
  return body.map((piece) => Buffer.from(piece).toString())
}
