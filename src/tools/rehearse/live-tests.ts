import { sumUsage, type UsageTotal } from '../../conversation/cost.ts'
import type { RunFolders } from '../programs/run-folders.ts'
import type { RunLine } from '../../attempt/run-channel.ts'
import { answerLines } from '../../attempt/spending.ts'

/** A test that asked a model while it ran live, or failed. */
export interface LiveTest {
  /** The name in its recording, or the path where the recording would be. */
  name: string
  passed: boolean
  /** The usage now, and when it was recorded; without a recording that is zero. */
  took: UsageTotal
  was: UsageTotal
}

/** The results and usage of tests that ran live, without those that passed and asked no model. */
export function liveTests(lines: readonly RunLine[], folders: RunFolders): LiveTest[] {
  const tookBy = Map.groupBy(answerLines(lines), ({ cassette }) => cassette ?? '')
  const ended = lines.filter((line) => line.kind === 'test')
  const passedBy = new Map(
    ended.flatMap(({ cassette, passed }) => (cassette ? [[cassette.path, passed]] : [])),
  )
  return [...passedBy].flatMap(([path, passed]) => {
    const took = sumUsage((tookBy.get(path) ?? []).map((line) => line.took))
    if (took.exchanges === 0 && passed) return []
    const name = folders.read(path)?.cassette?.conversationId ?? path
    return [{ name, passed, took, was: folders.outlook([path], 1).took }]
  })
}
