import { readdirSync, readFileSync } from 'node:fs'

/** How a run of the lab differs from a plain one. */
export interface LabRun {
  /** The run with whose recordings it starts; absent where it starts with none. */
  after?: 'record'
  env?: Record<string, string>
  args?: string[]
  /** Whether the upstream answers. It is stopped before the runs that have to do without. */
  isLive?: boolean
  /** Whether `fetch` goes over sockets, as in a process that has replaced it. */
  bySockets?: boolean
}

const RECORD = { RECORD: '1' }
const CHANGED = { CHANGED: '1' }
const REPORTERS = ['default', 'junit', 'json', 'tap', 'github-actions', 'blob']

/** The runs of the lab, in the order in which they are made. */
export const RUNS = {
  record: { isLive: true, env: RECORD },
  'record by sockets': { isLive: true, env: RECORD, bySockets: true },
  'record again': { after: 'record', isLive: true, env: RECORD },
  new: { after: 'record', isLive: true, env: { RECORD: 'new' } },
  off: { after: 'record', isLive: true, env: { RECORD: 'off' } },
  prompts: { after: 'record', env: { RECORD: 'prompts', ...CHANGED } },
  replay: { after: 'record' },
  'replay by sockets': { after: 'record', bySockets: true },
  threads: { after: 'record', args: ['--pool=threads'] },
  vmThreads: { after: 'record', args: ['--pool=vmThreads'] },
  vmForks: { after: 'record', args: ['--pool=vmForks'] },
  'without isolation': { after: 'record', args: ['--no-isolate'] },
  changed: { after: 'record', env: CHANGED },
  'changed by sockets': { after: 'record', env: CHANGED, bySockets: true },
  ci: { after: 'record', env: { CI: 'true' } },
  reporters: {
    after: 'record',
    env: CHANGED,
    args: REPORTERS.flatMap((name) => [`--reporter=${name}`, `--outputFile.${name}=told/${name}`]),
  },
} satisfies Record<string, LabRun>

export type RunName = keyof typeof RUNS

/** What a scenario says of itself, in its `scenario.json`. */
export interface Description {
  /** The runs in which it takes part. */
  runs: RunName[]
  /** The options of the plugin. A text like `/req-\d+/g` is a regular expression, and `{odd}`, `{front}` and `{echo}` hosts of the upstream. */
  options?: object
  /** The rest of its config. */
  test?: object
  /** The environment of its tests, in a run and in all. */
  env?: Partial<Record<RunName | 'always', Record<string, string>>>
}

/** What each scenario says of itself. */
export function readScenarios(): Record<string, Description> {
  const folder = new URL('scenarios/', import.meta.url)
  // Beside them lie the files that they share.
  const names = readdirSync(folder).filter((name) => !name.endsWith('.ts'))
  const read = (name: string): string =>
    readFileSync(new URL(`${name}/scenario.json`, folder), 'utf8')
  return Object.fromEntries(names.map((name) => [name, JSON.parse(read(name))]))
}
