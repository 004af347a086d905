import { TestFiles } from '../cassette/orphans.ts'
import { pathFrom } from '../config/paths.ts'
import type { Session } from '../engine/session.ts'
import { CassetteError } from '../errors.ts'
import { rememberFor } from '../remember.ts'
import { findIssued } from '../secrets/find-likely.ts'
import { loadRedactions } from '../secrets/redactions.ts'
import { redactKnown } from '../secrets/redactor.ts'

/** Where a cassette lies: the root of its project, and its path below the cassette folder. */
interface CassettePlace {
  root: string
  path: string
}

/** Names that no other can be like are told at once. */
const UNLIKE = /^[\x20-\x5e\x60-\x7e]+(?:\/[^/_]*|\/_file\.json)$/

/** The test files whose cassettes have the path of a cassette: looked for once, not for each request. */
const filesAt = rememberFor(({ root, path }: CassettePlace): string[] =>
  UNLIKE.test(path) ? [] : new TestFiles(root).overwriting(path),
)

/**
 * Refuses to record where another test file would have the same cassettes: their names differ in how letters are composed
 * alone, or in characters that no path may have.
 *
 * @returns the reason where nothing may be recorded
 */
export function refuseSharedName(place: CassettePlace): CassetteError | undefined {
  const files = filesAt(place)
  if (files.length === 0) return undefined
  const names = files.map((file) => escaped(pathFrom(place.root, file))).sort()
  return new CassetteError(
    'recording-refused',
    `Nothing is recorded: the cassettes of ${names.join(' and ')} would overwrite each other\n` +
      'Their names differ only in how letters are composed, or in characters that no path of a cassette has. Give one of them another name. Then record it again.',
  )
}

/** A name in which two spellings look different. */
function escaped(name: string): string {
  return name.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Refuses to record a test whose titles hold a credential, before it asks: its cassette and the file of its paid
 * answers are named after them.
 *
 * @returns the reason where nothing may be recorded
 */
export function refuseTitle({ test }: Session): CassetteError | undefined {
  const what = credentialIn(test.id)
  if (what === undefined) return undefined
  return new CassetteError(
    'secret',
    `Nothing is recorded: the title of this test holds a credential (${what}), and its cassette would be named after it\n` +
      'Take the credential out of the title, such as out of the rows of test.each. Then record it again.',
  )
}

/** What was said of the last title: of one that holds a value which its test sets later, nothing is written. */
let last: { id: string; what: string | undefined } | undefined

function credentialIn(id: string): string | undefined {
  if (last?.id === id) return last.what
  const redacted = redactKnown(id, process.env)
  const [issued] = findIssued(id)
  const what = issued
    ? `the rule ${issued.rule}`
    : redacted === id
      ? undefined
      : loadRedactions().placeholdersIn(redacted)[0]?.whole
  last = { id, what }
  return what
}
