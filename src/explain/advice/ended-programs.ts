import type { Session } from '../../engine/session.ts'
import { showCommand } from './show-command.ts'

/** How many programs a failure names. */
const MAX_NAMED = 3

/** The programs of a test that failed, as `python3 agent.py ended with exit code 1`. */
export function endedPrograms({ ended = [] }: Session): string[] {
  const told = ended.map(({ command, how }) => `${showCommand(command)} ended ${how}`)
  return [...new Set(told)].slice(0, MAX_NAMED)
}

/** Names the programs of a test that failed, since they may have ended before they asked; empty where none did. */
export function describeEnded(session: Session): string {
  const told = endedPrograms(session)
  if (told.length === 0) return ''
  return [
    'In this run a program failed, which may have asked less, or something else, for that:',
    ...told.map((one) => `  ${one}`),
    'Run it alone to see its error, and mend that first.',
  ].join('\n')
}
