import type { Session } from '../../engine/session.ts'
import { showCommand } from '../facts/show-command.ts'

/** How many programs a failure names. */
const MAX_NAMED = 3

/**
 * The programs of a test that failed by themselves, as `python3 agent.py ended with exit code 1`. None where a request of a
 * program was refused: that is why they fail.
 */
export function endedPrograms(session: Session): string[] {
  return wereRefused(session) ? [] : namesOfEnded(session)
}

/** Names the programs of a test that failed, and what to mend first; empty where none did. */
export function describeEnded(session: Session): string {
  const named = namesOfEnded(session).map((one) => `  ${one}`)
  if (named.length === 0) return ''
  const [before, after] = wereRefused(session)
    ? [
        'The request above came from a program of this test, and was refused. A program failed, most likely because of that:',
        'Settle the request first. Look at the program only if it still fails then.',
      ]
    : [
        'A program failed in this run. It may have sent fewer requests because of that, or other ones:',
        'Run it alone to see its error, and fix that first.',
      ]
  return [before, ...named, after].join('\n')
}

function wereRefused({ misses }: Session): boolean {
  return misses.some(({ askedBy }) => askedBy !== undefined)
}

function namesOfEnded({ ended = [] }: Session): string[] {
  const told = ended.map(({ command, how }) => `${showCommand(command)} ended ${how}`)
  return [...new Set(told)].slice(0, MAX_NAMED)
}
