import stableStringify from 'fast-json-stable-stringify'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Statistics } from '../../features/run-statistics.ts'
import type { FolderEntry } from '../../cassette/paths.ts'
import type { OpenedCassette } from '../../cassette/reader.ts'
import type { JsonValue } from '../../json/json-value.ts'

/** Something that `verify` has to say about a file. */
export interface Finding {
  /** The name of the check. */
  check: string
  /** A warning fails nothing. */
  severity: 'error' | 'warning'
  /** Relative to the working directory, with forward slashes. */
  file: string
  /** Counted from 1; absent where the finding is about the file as a whole. */
  line?: number
  /** A JSON pointer into the cassette. */
  place?: string
  /** The problem and its remedy, in one or two sentences. It can quote the file: escape it before printing. */
  problem: string
}

/** The result of a check, before the file and the name of the check are added. */
export interface Remark {
  problem: string
  place?: string
  line?: number
  /** @default 'error' */
  severity?: Finding['severity']
}

/** A cassette that could be read. */
export interface CheckedCassette extends OpenedCassette {
  /** Below the cassette folder. */
  path: string
  /** From the root of the project, with forward slashes. */
  file: string
}

/** The inputs of a check besides the cassette. */
export interface Circumstances {
  config: ResolvedConfig
  /** The statistics of the runs on this machine. */
  statistics: Statistics
  now: Date
}

/** A check of `verify` for each cassette. A new check is a file, and a line in `checks.ts`. */
export interface CassetteCheck {
  name: string
  find(cassette: CheckedCassette, circumstances: Circumstances): Remark[] | Promise<Remark[]>
}

/** The cassette folder, and the contents read from it. */
interface CheckedFolder {
  /** The root of the project. */
  root: string
  entries: readonly FolderEntry[]
  /** The paths of the cassettes below the folder. */
  cassettes: readonly string[]
  /** The cassettes that a program opened by their path, and no test. */
  ofPrograms: ReadonlySet<string>
  /** The names of the files in `blobs/` that cassettes refer to. */
  blobs: ReadonlySet<string>
  /** True when every cassette was read, so that a file without a reference is superfluous. */
  isComplete: boolean
}

/** A check of `verify` for the folder; its remarks name the entry that they are about. */
export interface FolderCheck {
  name: string
  find(folder: CheckedFolder): Array<Remark & { path: string }>
}

/** The remedy for nearly every finding. */
export const RESTORE: string = 'Restore it from git, or record the test again with RECORD=1.'

/** The number of characters of a value that are quoted. */
const MAX_QUOTED = 60

/** A value as a finding quotes it. */
export function quoteValue(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : stableStringify(value)
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}
