import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Statistics } from '../validity/statistics.ts'
import type { FolderEntry } from '../cassette/disk/folder-entries.ts'
import type { OpenedCassette } from '../cassette/disk/reader.ts'

/** Something that `verify` has to say about a file. */
export interface Finding {
  /** The name of the check. */
  check: string
  /** A warning fails nothing. */
  severity: 'error' | 'warning'
  /** From where the user stands, with forward slashes. */
  file: string
  /** Counted from 1; absent where the finding is about the file as a whole. */
  line?: number
  /** A JSON pointer into the cassette. */
  place?: string
  /** What is wrong and what settles it, in one or two sentences. It can quote the file: lay it out before it is printed. */
  problem: string
}

/** What a check says; where and by whom is added to it. */
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

/** What a cassette is looked at with. */
export interface Circumstances {
  config: ResolvedConfig
  /** What runs on this machine counted. */
  statistics: Statistics
  now: Date
}

/** One thing that `verify` looks at in each cassette. A new one is a file, and a line in `checks.ts`. */
export interface CassetteCheck {
  name: string
  find(cassette: CheckedCassette, circumstances: Circumstances): Remark[] | Promise<Remark[]>
}

/** The cassette folder as it lies there, and what was read of it. */
export interface CheckedFolder {
  /** The root of the project. */
  root: string
  entries: readonly FolderEntry[]
  /** The paths of the cassettes below the folder. */
  cassettes: readonly string[]
  /** Those of them that a program opened by their path, and no test. */
  ofPrograms: ReadonlySet<string>
  /** The names of the files in `blobs/` that cassettes refer to. */
  blobs: ReadonlySet<string>
  /** True when every cassette was read, so that what none refers to is superfluous. */
  isComplete: boolean
}

/** One thing that `verify` looks at in the folder; its remarks name the entry that they are about. */
export interface FolderCheck {
  name: string
  find(folder: CheckedFolder): Array<Remark & { path: string }>
}

/** What settles nearly everything. */
export const RESTORE: string = 'Restore it from git, or record the test again with RECORD=1.'
