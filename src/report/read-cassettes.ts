import type { CassetteReader } from '../cassette/disk/reader.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import { CassetteError } from '../errors.ts'

/** A cassette as it goes into a report, or what is wrong with its file. */
export interface ReportSource {
  /** As a person types it. */
  path: string
  /** The project, where there are several. */
  project?: string
  /** Reads it now: of thousands, one is in memory at a time. */
  read(): Cassette | undefined
}

/** All cassettes of a folder. */
export function sourcesIn(
  store: Pick<CassetteReader, 'list' | 'load' | 'display'>,
  project?: string,
): ReportSource[] {
  return store.list().map((path) => ({
    path: store.display(path),
    ...(project === undefined ? {} : { project }),
    read: () => store.load(path),
  }))
}

/** What is wrong with a cassette, without the advice; any other error is thrown. */
export function problemOf(error: unknown): string {
  if (!CassetteError.isInstance(error)) throw error
  return error.message.split('\n')[0]!
}
