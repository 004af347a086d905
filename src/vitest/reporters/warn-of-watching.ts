import type { Vitest } from 'vitest/node'
import { sendsNothing, type Mode } from '../../config/mode.ts'

/** The runs that were warned; each restart of watch mode is a run of its own. */
const warned = new WeakSet<Vitest>()

/** Warns before the first call of watch mode that each save costs money. */
export function warnOfWatching(vitest: Vitest, mode: Mode): void {
  if (!vitest.config.watch || sendsNothing(mode) || mode === 'off' || warned.has(vitest)) return
  warned.add(vitest)
  vitest.logger.warn(
    '[vitest-cassette] Watch mode records at each save, and each time is paid for. To record once, stop this and run:\n' +
      '  npx vitest-cassette record\n' +
      'It prints the last cost first. Watch mode without RECORD replays the recordings.',
  )
}
