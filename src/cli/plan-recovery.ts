import { join } from 'node:path'
import { isRecorded, type Cassette } from '../cassette/cassette.ts'
import { encodeCassette } from '../cassette/encode-cassette.ts'
import { presentOutsideGit } from '../cassette/outside-git.ts'
import { isCassettePath } from '../cassette/path.ts'
import { readJournals } from '../cassette/read-journals.ts'
import { CassetteStore } from '../cassette/store.ts'
import { leaveErrors, recoverCassette } from '../engine/recover.ts'
import { CassetteError } from '../errors.ts'
import { findSecrets } from '../secrets/find-secrets.ts'

/** What can be brought back into one cassette. */
export interface Recovery {
  /** Below the cassette folder. */
  path: string
  answers: number
  /** When the last answer arrived, ISO 8601. */
  time: string
  /** What becomes of it, for people. */
  outlook: string
  /** To be written; absent where that is not possible, or not wanted. */
  cassette?: Cassette
  /** What is deleted when it is written. */
  files: string[]
}

/** What is left of one attempt, and the cassette that it makes of the one that is there. */
interface Leftover {
  path: string
  time: string
  answers: number
  file: string
  /** `undefined` where nothing can be made of it. */
  apply(known: Cassette | undefined): Cassette | undefined
}

/**
 * Looks through what was kept outside of git: journals are added to their cassettes, parked recordings
 * take their places, as if their tests had passed.
 *
 * @param overwrite includes what is older than its cassette
 */
export async function planRecovery(
  store: CassetteStore,
  root: string,
  overwrite: boolean,
): Promise<Recovery[]> {
  const dir = store.display('')
  const leftovers = [...journals(root, dir), ...parked(root, dir)]
  const byPath = Map.groupBy(leftovers, ({ path }) => path)
  const sorted = [...byPath].sort(([one], [other]) => (one < other ? -1 : 1))
  const plans: Recovery[] = []
  for (const [path, found] of sorted) plans.push(await plan(store, path, found, overwrite))
  return plans
}

async function plan(
  store: CassetteStore,
  path: string,
  found: Leftover[],
  overwrite: boolean,
): Promise<Recovery> {
  const inOrder = found.toSorted((one, other) => (one.time < other.time ? -1 : 1))
  const recovery = {
    path,
    answers: found.reduce((sum, { answers }) => sum + answers, 0),
    time: inOrder.at(-1)!.time,
    files: found.map(({ file }) => file),
  }
  let known: Cassette | undefined
  try {
    known = store.load(path)
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    return { ...recovery, outlook: 'left: the cassette that is there cannot be read' }
  }
  const wanted = inOrder.filter(({ time }) => overwrite || !known || time > known.timestamp)
  if (wanted.length === 0)
    return { ...recovery, outlook: 'left: the cassette was recorded later (see --overwrite)' }
  let cassette: Cassette | undefined
  for (const leftover of wanted) cassette = leftover.apply(cassette ?? known) ?? cassette
  if (!cassette)
    return { ...recovery, outlook: 'left: it holds no answer but errors of the provider' }
  const [secret] = (await findSecrets(encodeCassette(cassette, '').stored)).secrets
  if (secret) {
    const { rule, pointer, masked } = secret
    return {
      ...recovery,
      outlook: `left: what looks like a credential (${rule}) at ${pointer}: ${masked}`,
    }
  }
  return { ...recovery, cassette, outlook: known ? 'changes the cassette' : 'a new cassette' }
}

function journals(root: string, dir: string): Leftover[] {
  return readJournals(root, dir).map(({ file, path, id, time, answers }) => ({
    path,
    time,
    answers: answers.length,
    file,
    apply: (known) => recoverCassette(known, { id, time, answers }),
  }))
}

function parked(root: string, dir: string): Leftover[] {
  return presentOutsideGit(root, dir, 'parked').flatMap((folder) => {
    const store = new CassetteStore(folder, '.', Infinity)
    return store
      .list()
      .filter(isCassettePath)
      .flatMap((path) => {
        const cassette = loadParked(store, path)
        if (!cassette) return []
        const { timestamp: time, exchanges } = cassette
        const answers = exchanges.filter(isRecorded).length
        const apply = (): Cassette | undefined => leaveErrors(cassette)
        return { path, time, answers, file: join(folder, path), apply }
      })
  })
}

/** What was cut off while it was parked is in the journal. */
function loadParked(store: CassetteStore, path: string): Cassette | undefined {
  try {
    return store.load(path)
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    return undefined
  }
}
