import { hasColors } from '../../../config/has-colors.ts'

/** Whether the output of a worker reaches a terminal with colours. Vitest sets `FORCE_TTY` then. */
export function showsColor(): boolean {
  const { FORCE_COLOR, FORCE_TTY, NO_COLOR, TERM } = process.env
  const isTerminal = FORCE_TTY === 'true' && FORCE_COLOR === undefined
  return hasColors() || (isTerminal && !NO_COLOR && TERM !== 'dumb')
}
