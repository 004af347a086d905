import { judgeValidity, factsOf } from '../../features/judge-validity.ts'
import type { CassetteCheck } from './check.ts'

/** A recording that nobody edited can still be out of date. */
export const validity: CassetteCheck = {
  name: 'validity',
  find({ cassette, file }, { config, statistics, now }) {
    const runs = statistics.runsOf(file, cassette.timestamp)
    const verdicts = judgeValidity(factsOf(cassette, runs), config, now)
    if (verdicts.every(({ valid }) => valid)) return []
    const said = verdicts.map(({ strategy, valid, reason }) => {
      return `${valid ? '✓' : '×'} ${strategy}: ${reason}`
    })
    const isMarked = verdicts.some(({ strategy, valid }) => strategy === 'mark' && !valid)
    const undo = isMarked
      ? `, or take the mark back: vitest-cassette invalidate --undo ${file}`
      : '.'
    return [
      {
        place: isMarked ? '/invalid' : '/timestamp',
        severity: config.invalid === 'fail' ? 'error' : 'warning',
        problem: `The recording is no longer valid. ${said.join('; ')}. Record the test again with RECORD=1${undo}`,
      },
    ]
  },
}
