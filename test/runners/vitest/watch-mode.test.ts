import { expect, test } from 'vitest'
import type { Vitest } from 'vitest/node'
import type { Mode } from '../../../src/config/mode.ts'
import { warnOfWatching } from '../../../src/runners/vitest/watch-mode.ts'
import { expectGolden } from '../../golden.ts'

/** What a run says whose projects have these modes. */
function warnings(watch: boolean, ...modes: Mode[]): string[] {
  const said: string[] = []
  const logger = { warn: (text: string) => void said.push(text) }
  const vitest = { config: { watch }, logger } as unknown as Vitest
  for (const mode of modes) warnOfWatching(vitest, mode)
  return said
}

test.each<Mode>(['all', 'new'])(
  'watch mode says once that each save is paid for: %s',
  async (mode) => {
    const [warning, ...more] = warnings(true, mode, mode)
    expect(warning).toContain('\n  npx vitest-cassette record\n')
    expect(more).toEqual([])
    await expectGolden(warning!, 'warning')
  },
)

test.each<[boolean, Mode]>([
  [true, 'replay'],
  [true, 'prompts'],
  [true, 'off'],
  [false, 'all'],
])('nothing is said where no save records: watch %s, mode %s', (watch, mode) => {
  expect(warnings(watch, mode)).toEqual([])
})
