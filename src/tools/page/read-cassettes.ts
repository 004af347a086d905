import type { CassetteReader } from '../../cassette/reader.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { CassetteError } from '../../errors.ts'

/** A cassette for a report. */
export interface ReportSource {
  /** The path of the cassette, as a person types it. */
  path: string
  /** The name of the project, if there are several. */
  project?: string
  /** Reads the cassette on demand, so that only one of thousands is in memory. */
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

/** The problem of a cassette without the advice. Other errors are thrown again. */
export function problemOf(error: unknown): string {
  if (!CassetteError.isInstance(error)) throw error
  return error.message.split('\n')[0]!
}
