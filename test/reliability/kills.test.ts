import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { journalFiles } from '../../src/cassette/journal.ts'
import { readJournals } from '../../src/cassette/leftovers.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { recoverCassette } from '../../src/recording/recovered-cassette.ts'
import { times } from '../effort.ts'
import { randomNumbers } from '../random.ts'
import { attemptIn, attemptOf, nameOf } from './attempt.ts'

const KILLS = times(12, 200)
const LANES = 2
const ANSWERS = 4
const LENGTH = 100_000
const PATH = 'a.test.ts/greets-0123456789.json'
const recorder = fileURLToPath(new URL('recorder.ts', import.meta.url))

/** What became of the answers that a process had when it was killed. */
interface Tally {
  kills: number
  /** Answers that the process had, and whose cassette it did not say to be written. */
  paid: number
  lost: number
  torn: number
  fromJournal: number
  /** What was being written. */
  leftovers: Set<string>
}

test(`${KILLS} kills at random moments lose no answer that was paid for, and tear no cassette`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cassette-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tally: Tally = { kills: 0, paid: 0, lost: 0, torn: 0, fromJournal: 0, leftovers: new Set() }
  const roots = Array.from({ length: LANES }, (_, lane) => join(folder, `${lane}`))
  const killAll = async (root: string): Promise<void> => {
    const random = randomNumbers(basename(root))
    // What a process compiled is kept at its end, which a kill never lets it reach.
    const [, ended] = record(root, folder, '1')
    await ended
    while (tally.kills < KILLS || (!hasHitAll(tally) && tally.kills < 30 * KILLS)) {
      tally.kills++
      examine(root, await recordAndKill(root, folder, random), tally)
    }
  }
  await Promise.all(roots.map(killAll))
  const leftovers = tally.leftovers.size
  for (const root of roots) {
    const attempt = attemptOf(Date.now(), ANSWERS, LENGTH)
    attempt.exchanges[0]!.wire.response.status = 201
    await storeOf(root).save(PATH, attempt)
  }
  const unswept = roots.flatMap(temporaryFiles).filter((path) => !path.startsWith('blobs/')).length
  console.log(
    `${tally.kills} kills: ${tally.torn} cassettes torn, ${tally.lost} of ${tally.paid} unsaved answers lost ` +
      `(${tally.fromJournal} from journals), ${leftovers - unswept} of ${leftovers} leftovers swept`,
  )
  expect(tally).toMatchObject({ torn: 0, lost: 0 })
  expect(tally.kills).toBeGreaterThanOrEqual(KILLS)
  expect(tally.paid).toBeGreaterThan(KILLS / 10)
  expect(tally.fromJournal).toBeGreaterThan(0)
  expect(leftovers).toBeGreaterThan(0)
  expect(unswept).toBe(0)
}, 480_000)

/** Whether the kills so far hit a process with unsaved answers, and one that was saving. Few kills can miss one of both. */
function hasHitAll({ fromJournal, leftovers }: Tally): boolean {
  return fromJournal > 0 && leftovers.size > 0
}

/** Records until killed: by itself while it saves, or by us after so many answers and cassettes. Returns what the process said. */
async function recordAndKill(
  root: string,
  folder: string,
  random: () => number,
): Promise<string[]> {
  if (random() < 0.4) return record(root, folder, '-1', momentOf(random))[1]
  const [child, ended] = record(root, folder, '0')
  const patience = random() * 2 * (ANSWERS + 1)
  for (let heard = 0; heard < patience;)
    heard += String(await once(child.stdout!, 'data')).split('\n').length - 1
  await delay(random() * 4)
  child.kill('SIGKILL')
  return ended
}

/** Often near the end, where the file is written: what comes before takes nearly all of the time. */
function momentOf(random: () => number): number {
  return random() < 0.6 ? 0.85 + random() * 0.2 : random()
}

function record(
  root: string,
  folder: string,
  attempt: string,
  moment: number = 0,
): [ChildProcess, Promise<string[]>] {
  const args = [recorder, root, PATH, attempt, `${ANSWERS}`, `${LENGTH}`, `${moment}`]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  return [child, once(child, 'close').then(() => said.trimEnd().split('\n'))]
}

/** Looks at what is on the disk as `recover` does. */
function examine(root: string, said: string[], tally: Tally): void {
  const saved = said.findLastIndex((line) => line.startsWith('saved'))
  const unsaved = said.slice(saved + 1).map((line) => line.split(' ').slice(1).join('/'))
  const inJournals = readJournals(root, '__recordings__').flatMap(({ answers }) =>
    answers.map(({ response }) => nameOf(response).join('/')),
  )
  for (const path of temporaryFiles(root)) tally.leftovers.add(path)
  let written = 0
  try {
    const cassette = storeOf(root).load(PATH)
    written = cassette ? attemptIn(cassette, ANSWERS) : 0
    const lastSaved = Number(said[saved]?.split(' ')[1] ?? 0)
    if (written < lastSaved) throw new Error(`${lastSaved} was written, and ${written} is there`)
    for (const journal of readJournals(root, '__recordings__')) recoverCassette(cassette, journal)
  } catch (error) {
    console.error(error)
    tally.torn++
  }
  tally.paid += unsaved.length
  for (const answer of unsaved) {
    if (inJournals.includes(answer)) tally.fromJournal++
    else if (!answer.startsWith(`${written}/`)) tally.lost++
  }
  for (const file of journalFiles(root, '__recordings__')) rmSync(file)
}

function temporaryFiles(root: string): string[] {
  return storeOf(root)
    .entries()
    .filter(({ path }) => path.endsWith('.tmp'))
    .map(({ path }) => path)
}

function storeOf(root: string): CassetteStore {
  return new CassetteStore(root, '__recordings__', 1e9)
}
