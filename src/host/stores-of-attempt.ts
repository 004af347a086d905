import { Journal } from '../cassette/disk/journal.ts'
import { CassetteStore } from '../cassette/disk/store.ts'
import { rememberFor } from '../remember.ts'
import type { OpenSession } from './owner.ts'

/** The store into which the cassette of an attempt is written. */
export function storeOf({ session, owner }: OpenSession): CassetteStore {
  const { dir, maxCassetteBytes } = session.config
  return new CassetteStore(owner.root, dir, maxCassetteBytes)
}

/** The journal of the answers that an attempt has paid for. */
export const journalOf: (open: OpenSession) => Journal = rememberFor(newJournal)

/** A new journal, separate from that of the attempt. */
export function newJournal({ session, owner }: OpenSession): Journal {
  const { root } = owner
  const { dir } = session.config
  return new Journal({ root, dir, path: owner.path(dir), id: session.test.id })
}
