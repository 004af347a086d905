import { Journal } from '../cassette/disk/journal.ts'
import { CassetteStore } from '../cassette/disk/store.ts'
import { rememberFor } from '../remember.ts'
import type { OpenSession } from './owner.ts'

/** Where the cassette of an attempt is written. */
export function storeOf({ session, owner }: OpenSession): CassetteStore {
  const { dir, maxCassetteBytes } = session.config
  return new CassetteStore(owner.root, dir, maxCassetteBytes)
}

/** Where the answers are kept that an attempt has paid for. */
export const journalOf: (open: OpenSession) => Journal = rememberFor(newJournal)

/** A journal beside that of the attempt. */
export function newJournal({ session, owner }: OpenSession): Journal {
  const { root } = owner
  const { dir } = session.config
  return new Journal({ root, dir, path: owner.path(dir), id: session.test.id })
}
