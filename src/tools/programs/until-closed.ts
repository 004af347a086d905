import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** How a process has ended: with a code, or by a signal. */
type End = [code: number, signal: null] | [code: null, signal: NodeJS.Signals]

/**
 * Waits for the end of a child, and passes on to it the signals that this process gets.
 *
 * @throws the error of a child that could not be started
 */
export async function untilClosed(
  child: ChildProcess,
  onSignal: () => void = () => {},
): Promise<End> {
  const passOn = (signal: NodeJS.Signals): void => {
    onSignal()
    // A terminal sends Ctrl-C to both processes.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  try {
    return (await once(child, 'close')) as End
  } finally {
    process.off('SIGINT', passOn).off('SIGTERM', passOn)
  }
}
