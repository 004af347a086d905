import type { Reporter } from 'vitest/node'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { shared } from '../real/shared.ts'

/** A reporter that gets the projects of its run. */
export interface ProjectReporter {
  add: (root: string, config: ResolvedConfig) => void
}

/** What a tool adds to the runs of Vitest. */
export interface RunWatcher {
  /** Its reporter for a run with these options; `undefined` where the tool does not ask for the run. */
  watch: (config: ResolvedConfig) => (Reporter & ProjectReporter) | undefined
  /** Whether its reporter changes failures, and so has to come before those that print them. */
  changesFailures?: boolean
}

/** The watchers of all tools. */
export const runWatchers: RunWatcher[] = shared<RunWatcher[]>('run-watchers', () => [])

/** Gives the runs of this process what the tools add to them. The first copy of this package to come decides. */
export function watchRuns(...all: RunWatcher[]): void {
  if (runWatchers.length === 0) runWatchers.push(...all)
}
