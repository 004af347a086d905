import type { RunnerTestCase } from 'vitest'
import { cassettePath, FILE_SCOPE } from '../../../cassette/paths.ts'
import { pathFrom } from '../../../config/paths.ts'
import { existsSync } from '../../../real/files.ts'
import { foldersUp } from '../../../real/folders-up.ts'
import { dirname, isAbsolute, join } from '../../../real/path.ts'
import { quoteWord } from '../../../text/command-line.ts'
import { pairRenamed } from '../../../cassette/orphans.ts'
import type { Failure } from '../../../explain/judge-attempt.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { adviseFirst } from './advise-first.ts'
import { fromUser, optionsHere, otherHere } from './current-project.ts'
import { placeOfTest } from './place-of-test.ts'
import { recordedBeside } from './recorded-beside.ts'
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

/**
 * Adds to the miss of a test without a cassette where its recording may be: under its old name, beside it, or in a folder
 * above that in which Vitest was started; and the command that settles it.
 */
function suggestMove(
  { session, config }: Attempt,
  failure: Failure,
  test: RunnerTestCase,
  root: string,
): void {
  const [miss] = session.misses
  if (failure.code !== 'miss' || session.cassette || !miss) return
  const above = isBelowConfig() ? findAbove(root, config.dir) : undefined
  if (above !== undefined) return adviseFirst(failure, explainStart(above))
  const place = cassettePath(placeOfTest(test, root))
  const beside = recordedBeside(test.file, root, config)
  const { store } = beside
  const lones = beside.lone(place)
  const { hash } = miss.incoming
  const same = [...lones].flatMap(([path, asks]) => (asks === hash ? path : []))
  const old = pairRenamed([place], same)[0]?.from
  const lone = old ?? onlyLoneBeside(lones.keys(), place)
  if (lone === undefined) return
  const [from, to] = [fromUser(store.display(lone)), fromUser(store.display(place))]
  const command = `  npx vitest-cassette move ${quoteWord(from)} ${quoteWord(to)}`
  if (old === undefined) {
    failure.details +=
      `\n\nThe cassette ${from} has no test any more. If this is that test, renamed and with another prompt, keep the recording, and see what changed:\n` +
      command
    return
  }
  // For many renamed tests, the shared cause names one command for all.
  if (failure.cause) failure.cause.key = 'renamed'
  adviseFirst(
    failure,
    `The cassette ${from} begins with this prompt, and its test is gone. If the test was renamed, keep the recording, without a request:\n` +
      command,
  )
}

/** The only cassette of the same test file whose test is gone. */
function onlyLoneBeside(lones: Iterable<string>, place: string): string | undefined {
  const [lone, ...others] = [...lones].filter((path) => dirname(path) === dirname(place))
  return others.length === 0 && lone !== undefined && !lone.endsWith(`/${FILE_SCOPE}`)
    ? lone
    : undefined
}

/** Whether Vitest was started below its config, whose folder it then does not take for the root. */
function isBelowConfig(): boolean {
  const words = optionsHere()
  return words[words.indexOf('--config') + 1]?.startsWith('..') === true
}

/** The nearest folder with recordings above a root that has none; `undefined` where there is none in the repository. */
function findAbove(root: string, dir: string): string | undefined {
  if (isAbsolute(dir) || existsSync(join(root, dir))) return undefined
  const above = foldersUp(root).slice(1)
  const found = above.find((folder) => existsSync(join(folder, dir)))
  return found && pathFrom(root, found)
}

function explainStart(above: string): string {
  return (
    `This folder has no recordings, and ${fromUser(above)} has: Vitest takes the folder in which it starts for the root of the project. Start it there:\n` +
    `  ${otherHere()?.command ?? 'npx vitest run'} --root ${quoteWord(fromUser(above))}`
  )
}
