import type { RunnerTestFile } from 'vitest'
import { listener } from '../../../attempt/say.ts'

/** What is said from now on is said by the run, where it has our reporters. */
export function listenFor({ meta }: RunnerTestFile): void {
  listener.meta = meta.isSetUp ? meta : undefined
}
