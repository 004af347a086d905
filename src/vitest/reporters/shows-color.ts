import pc from 'picocolors'

/** Whether what a worker prints ends on a terminal with colours; Vitest says so in `FORCE_TTY`. */
export function showsColor(): boolean {
  const { FORCE_TTY, NO_COLOR, TERM } = process.env
  return pc.isColorSupported || (FORCE_TTY === 'true' && !NO_COLOR && TERM !== 'dumb')
}
