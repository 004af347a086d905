import { sumUsage, type UsageTotal } from '../conversation/cost/usage.ts'
import type { RunFolders } from '../recording/run-folders.ts'
import type { RunLine } from '../recording/run-folder.ts'

/** A test that asked a model while it ran live. */
export interface LiveTest {
  /** As its recording names it, or where that would be. */
  name: string
  passed: boolean
  /** What it took now, and when it was recorded; nothing was where there is no recording. */
  took: UsageTotal
  was: UsageTotal
}

/** What tests did that ran live, and what they took: those that asked a model alone. */
export function liveTests(lines: readonly RunLine[], folders: RunFolders): LiveTest[] {
  // The last line of a call counts.
  const answers = new Map(
    lines.flatMap((line) => (line.kind === 'answer' ? [[line.key, line] as const] : [])),
  )
  const tookBy = Map.groupBy(answers.values(), ({ cassette }) => cassette ?? '')
  const ended = lines.flatMap((line) => (line.kind === 'test' && line.cassette ? [line] : []))
  const passedBy = new Map(ended.map(({ cassette, passed }) => [cassette!.path, passed]))
  return [...passedBy].flatMap(([path, passed]) => {
    const took = sumUsage((tookBy.get(path) ?? []).map((line) => line.took))
    if (took.exchanges === 0 && passed) return []
    const name = folders.read(path)?.cassette?.conversationId ?? path
    return [{ name, passed, took, was: folders.outlook([path], 1).took }]
  })
}
