import pc from 'picocolors'

/** Whether the output of a worker reaches a terminal with colours. Vitest sets `FORCE_TTY` then. */
export function showsColor(): boolean {
  const { FORCE_TTY, NO_COLOR, TERM } = process.env
  return pc.isColorSupported || (FORCE_TTY === 'true' && !NO_COLOR && TERM !== 'dumb')
}
