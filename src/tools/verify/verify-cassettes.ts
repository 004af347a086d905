import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutName } from '../../cassette/reader.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError } from '../../errors.ts'
import { readStatistics } from '../../features/run-statistics.ts'
import { keysOfPointer } from '../../json/json-pointer.ts'
import { defined } from '../../providers/fields.ts'
import type { RunCalls } from '../sources/slow-calls.ts'
import { jsonTokens } from '../../json/json-tokens.ts'
import {
  CASSETTE_CHECKS,
  FOLDER_CHECKS,
  isOfProgram,
  type CheckedCassette,
  type Circumstances,
} from './checks.ts'

export interface Finding {
  /** The name of the check. */
  check: string
  /** A warning fails nothing. */
  severity: 'error' | 'warning'
  /** Relative to the working directory, with forward slashes. */
  file: string
  /** Counted from 1; absent where the finding is about the file as a whole. */
  line?: number
  /** A JSON pointer into the cassette. */
  place?: string
  /** The problem and its remedy, in one or two sentences. It can quote the file: escape it before printing. */
  problem: string
}

/** The result of a check, before the file and the name of the check are added. */
export interface Remark {
  problem: string
  place?: string
  line?: number
  /** @default 'error' */
  severity?: Finding['severity']
}

/** The result of `verify`: how much was checked, and the findings. */
export interface Verification {
  cassettes: number
  exchanges: number
  blobs: number
  findings: Finding[]
}

/**
 * Verifies the cassettes of a folder, one after the other.
 *
 * @param root the root of the project
 * @param isMeant decides which paths below the folder are checked
 * @param config the options for how long a recording is valid, and for one that is no longer valid
 * @param each iterates over the paths, and can report the progress
 * @param calls gets how the calls of the last run were replayed
 */
export async function verify(
  store: CassetteStore,
  root: string,
  isMeant: (path: string) => boolean = () => true,
  config: ResolvedConfig = resolveConfig({}, { ci: false, recordInCi: false }),
  each: (paths: readonly string[]) => Iterable<string> = (paths) => paths,
  calls?: RunCalls,
): Promise<Verification> {
  const entries = store.entries().filter(({ path }) => isMeant(path))
  const all = store.list()
  const paths = all.filter(isMeant)
  const blobs = new Set<string>()
  const ofPrograms = new Set<string>()
  const findings: Finding[] = []
  const circumstances: Circumstances = { config, statistics: readStatistics(root), now: new Date() }
  let exchanges = 0
  let isComplete = paths.length === all.length
  const add = (check: string, path: string, { severity = 'error', ...remark }: Remark): void => {
    findings.push({ check, severity, file: store.display(path), ...remark })
  }

  for (const path of each(paths)) {
    const opened = open(store, root, path)
    if ('problem' in opened) {
      isComplete = false
      add('unreadable', path, opened)
      continue
    }
    if (isOfProgram(opened)) ofPrograms.add(path)
    exchanges += opened.cassette.exchanges.length
    calls?.add(root, opened.file, path, opened.cassette.timestamp)
    for (const name of opened.blobs) blobs.add(name)
    for (const [name, check] of Object.entries(CASSETTE_CHECKS))
      for (const remark of await attempt(() => check(opened, circumstances))) {
        const { place } = remark
        const line =
          place === undefined ? undefined : lineOfValue(opened.text, keysOfPointer(place))
        add(name, path, { ...defined({ line }), ...remark })
      }
  }
  const folder = { root, entries, cassettes: paths, ofPrograms, blobs, isComplete }
  for (const [name, check] of Object.entries(FOLDER_CHECKS))
    for (const { path, ...remark } of check(folder)) add(name, path, remark)
  return { cassettes: paths.length, exchanges, blobs: blobs.size, findings }
}

function open(store: CassetteStore, root: string, path: string): CheckedCassette | Remark {
  try {
    return { path, file: store.pathFrom(root, path), ...store.open(path)! }
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    const said = withoutName(error)
    const [, place, problem = said] = /^at (\/\S+?): (.*)$/s.exec(said) ?? []
    const remark = { problem: problem.charAt(0).toUpperCase() + problem.slice(1) }
    if (place === undefined) return remark
    const text = readFileSync(join(root, store.pathFrom(root, path)), 'utf8')
    const line = lineOfValue(text, keysOfPointer(place))
    return { ...defined({ line }), place, ...remark }
  }
}

/** An error in the check of one cassette must not keep the others from being checked. */
async function attempt(find: () => Remark[] | Promise<Remark[]>): Promise<Remark[]> {
  try {
    return await find()
  } catch (error) {
    return [{ problem: `The check could not be made: ${(error as Error).message}` }]
  }
}

/**
 * The line, counted from 1, on which the value under the keys of a path begins; `undefined` for a
 * path that leads nowhere.
 *
 * @param text valid JSON
 */
export function lineOfValue(text: string, path: readonly string[]): number | undefined {
  /** The keys that lead to the current value; those of arrays are counted. */
  const keys: Array<string | number> = []
  let isKey = false
  for (const { token, index } of jsonTokens(text)) {
    if (token === ':') isKey = false
    else if (token === ',') {
      const last = keys.pop()
      keys.push(typeof last === 'number' ? last + 1 : '')
      isKey = typeof last === 'string'
    } else if (token === '}' || token === ']') keys.pop()
    else if (isKey) keys[keys.length - 1] = JSON.parse(token) as string
    else {
      if (keys.length === path.length && keys.every((key, at) => String(key) === path[at]))
        return text.slice(0, index).split('\n').length
      if (token === '{' || token === '[') keys.push(token === '[' ? 0 : '')
      isKey = token === '{'
    }
  }
  return undefined
}
