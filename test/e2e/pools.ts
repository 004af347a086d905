import { isNight } from '../effort.ts'

/** The pools of Vitest. For each change, one of processes and one of threads, whose files have contexts of their own. */
export const pools: string[] = isNight
  ? ['forks', 'threads', 'vmForks', 'vmThreads']
  : ['forks', 'vmThreads']
