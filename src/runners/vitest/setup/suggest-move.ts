import type { RunnerTestCase } from 'vitest'
import { CassetteStore } from '../../../cassette/store.ts'
import { cassettePath, cassettePaths } from '../../../cassette/paths.ts'
import { quoteWord } from '../../../text/command-line.ts'
import { findRenamed } from '../../../cassette/orphans.ts'
import type { Failure } from '../../../explain/judge-attempt.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { fromUser } from './current-project.ts'
import { placesOfFile, placeOfTest } from './place-of-test.ts'
import { suggestNeighbour, suggestRecover } from './suggest-neighbour.ts'

/** Adds to a failure where its answers are: in what a killed run has left, or in the cassette of another test. */
export function suggestOther(
  attempt: Attempt,
  failure: Failure,
  test: RunnerTestCase,
  root: string,
): void {
  const isSettled =
    suggestRecover(attempt, failure, test, root) || suggestNeighbour(attempt, failure, test, root)
  if (!isSettled) suggestMove(attempt, failure, test, root)
}

/** Adds to the miss of a renamed test the cassette that it had under its old name, and the command that moves it. */
function suggestMove(
  { session, config: { dir, maxCassetteBytes } }: Attempt,
  failure: Failure,
  test: RunnerTestCase,
  root: string,
): void {
  const [miss] = session.misses
  if (failure.code !== 'miss' || session.cassette || !miss) return
  const place = cassettePath(placeOfTest(test, root))
  const living = new Set(placesOfFile(test.file, root).flatMap(cassettePaths))
  const store = new CassetteStore(root, dir, maxCassetteBytes)
  const old = findRenamed(store, root, place, living, miss.incoming.hash)
  if (old === undefined) return
  // For many renamed tests, the shared cause names one command for all.
  if (failure.cause) failure.cause.key = 'renamed'
  const [from, to] = [fromUser(store.display(old)), fromUser(store.display(place))]
  const renamed =
    `The cassette ${from} begins with this prompt, and its test is gone. If the test was renamed, keep the recording, without a request:\n` +
    `  npx vitest-cassette move ${quoteWord(from)} ${quoteWord(to)}`
  const { cause, details } = failure
  if (!cause) return void (failure.details += `\n\n${renamed}`)
  // The cheapest way out comes first.
  const advice = `${renamed}\n\n${cause.advice}`
  failure.details = details.replace(cause.advice, () => advice)
  cause.advice = advice
}
