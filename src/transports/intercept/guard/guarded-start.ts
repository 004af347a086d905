import { basename } from '../../../real/path.ts'
import type { WorkerOptions } from 'node:worker_threads'
import { standInKeys, withoutEmptyKeys } from '../../../providers/stand-in-keys.ts'
import { builtin } from '../../../real/builtin.ts'
import { redirected, THREAD } from '../../child-environment.ts'
import { environmentOf, envPairsOf, type Start } from '../mcp/started-command.ts'
import { type ChildGuard, type WorkerArguments, type Workers } from './patch-starts.ts'
import { GUARD_VARIABLE } from './guard-variable.ts'
import { pathWithShim } from './guard-folder.ts'
import type { GuardPolicy } from './guard-policy.ts'

/** Decides what the processes and threads that start here have to guard. */
export interface ChildRules {
  /**
   * The policy of a child that starts now; `undefined` for no guard.
   *
   * @param start the program; of a thread, its file is `a worker thread`
   * @param isWaitedFor whether this process does nothing else until the child has ended
   */
  policy(start: Start, isWaitedFor: boolean): GuardPolicy | undefined
  /** The error of a command that no guard can follow; `undefined` where it may run all the same. */
  refuse(text: string): Error | undefined
  /** As {@link ChildGuard.noteEnd}; absent where nobody asks. */
  noteEnd?: ChildGuard['noteEnd']
  /** As {@link ChildGuard.standIn}; absent where nothing stands in. */
  standIn?: ChildGuard['standIn']
}

export function childGuard(rules: ChildRules): ChildGuard {
  return {
    prepare: (start, isWaitedFor) => guarded(start, rules, isWaitedFor),
    noteEnd: (start, end) => rules.noteEnd?.(start, end),
    environment(file, args, env) {
      const start = { file, args: [...args], envPairs: envPairsOf(env) }
      return environmentOf(guarded(start, rules, false))
    },
    startThread: (Worker, args, newTarget) => startThread(Worker, args, newTarget, rules),
    standIn: (child, start, run) => rules.standIn?.(child, start, run) ?? false,
  }
}

function guarded(start: Start, rules: ChildRules, isWaitedFor: boolean): Start {
  // Node reports the mistake.
  if (typeof start !== 'object' || start === null) return start
  const { file = '', args = [] } = start
  const policy = rules.policy(start, isWaitedFor)
  if (policy) {
    // The first argument is the name of the program once more.
    const command = [file, ...args.slice(1)].join(' ')
    const error = losesGuard(command, policy.folder) && rules.refuse(explainLostGuard(command))
    if (error) throw error
  }
  return { ...start, envPairs: envPairsOf(guardedEnvironment(environmentOf(start), policy, file)) }
}

/** Without a policy, the child also loses the guard that this process itself was given. */
function guardedEnvironment(
  env: Record<string, string>,
  policy: GuardPolicy | undefined,
  file: string,
): Record<string, string> {
  if (!policy) return GUARD_VARIABLE in env ? { ...env, [GUARD_VARIABLE]: '' } : env
  const load = `--require ${JSON.stringify(policy.file)}`
  const { NODE_OPTIONS = '' } = env
  const path = pathWithShim(policy, env.PATH)
  return {
    ...env,
    ...lentKeys(env, policy),
    ...(policy.gateway ? redirected(env, policy.gateway, isNode(file) ? '' : policy.folder) : {}),
    NODE_OPTIONS: NODE_OPTIONS.includes(load) ? NODE_OPTIONS : `${NODE_OPTIONS} ${load}`.trim(),
    ...forBun(env, policy),
    [GUARD_VARIABLE]: JSON.stringify(policy),
    ...(path === undefined ? {} : { PATH: path }),
  }
}

/** Loads the guard of Bun, which does not read NODE_OPTIONS. Its own variable takes no path with a space. */
function forBun({ BUN_OPTIONS = '' }: NodeJS.ProcessEnv, { file }: GuardPolicy): object {
  const load = `--preload=${file.replace(/guard\.cjs$/, 'guard-bun.cjs')}`
  const isSet = BUN_OPTIONS.includes(load) || /\s/.test(load)
  return isSet ? {} : { BUN_OPTIONS: `${BUN_OPTIONS} ${load}`.trim() }
}

/** The harmless keys that a program gets. */
export function lentKeys(
  env: NodeJS.ProcessEnv,
  { lends }: Pick<GuardPolicy, 'lends'>,
): Record<string, string> {
  if (!lends) return {}
  return standInKeys(lends === 'empty' ? withoutEmptyKeys(env) : env)
}

/** Node needs no address and no certificates: the guard in it sees what is asked before it is encrypted. */
export function isNode(file: string): boolean {
  const isOwn = file === process.execPath && !process.versions.bun
  return isOwn || /^node(?:\.exe)?$/i.test(basename(file))
}

function withLentKeys(env: WorkerOptions['env'], policy: GuardPolicy): WorkerOptions['env'] {
  // Node reports the mistake.
  if (typeof env !== 'object' || env === null) return env
  return { ...env, ...lentKeys(env, policy) }
}

function startThread(
  Worker: Workers,
  [file, options = {}]: WorkerArguments,
  newTarget: Function,
  rules: ChildRules,
): object {
  const { SHARE_ENV, setEnvironmentData } = builtin('node:worker_threads')
  const env = options.env ?? process.env
  const sharesEnv = env === SHARE_ENV
  const ruled = rules.policy({ file: THREAD }, false)
  const policy = ruled && { ...ruled, sharesEnv }
  // An object that inherits from the options, not a copy: they can be frozen, inherited, or getters.
  const make = (execArgv: string[]): object => {
    const given = Object.create(options, {
      execArgv: { value: execArgv },
      ...(policy?.lends && !sharesEnv ? { env: { value: withLentKeys(env, policy) } } : {}),
    }) as WorkerOptions
    return Reflect.construct(Worker, [file, given], newTarget) as object
  }
  // A thread can share the environment with this one, so the policy travels as environment data.
  setEnvironmentData(GUARD_VARIABLE, policy && JSON.stringify(policy))
  if (!policy) return Reflect.construct(Worker, [file, options], newTarget) as object
  const load = ['--require', policy.file]
  try {
    return make([...(options.execArgv ?? process.execArgv), ...load])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error
    // Node refuses options of the whole process here. The thread inherits them anyway.
    return make(load)
  }
}

/** Ways to set NODE_OPTIONS anew or to take it away; `NODE_OPTIONS="$NODE_OPTIONS …"` keeps what was there. */
const DROPS_OPTIONS =
  /\bNODE_OPTIONS=(?!["']?[^\s"']*\$\{?NODE_OPTIONS\b)|\bunset\b[^;|&\n]*\bNODE_OPTIONS\b|\benv\b[^;|&\n]*\s(?:-u\s*|--unset[=\s])NODE_OPTIONS\b/

/** Ways to take the whole environment away. */
const DROPS_ALL = /\benv\s+(?:[^;|&\n]*\s)?(?:-[a-z]*i[a-z]*|-|--ignore-environment)(?=\s)/

/** Ways to set a PATH that does not begin with the current one. */
const DROPS_PATH = /\bPATH=(?!["']?\$\{?PATH\b)/

/** Ways to start Node by its path. */
const NODE_BY_PATH =
  /[\\/]bin[\\/]node(?:js)?\b(?![\\/.-])|\bnode\.exe\b|\$\{?(?:npm_node_execpath|NODE)\b/

/** Names of Node, and of programs that start it. */
const NODE =
  /(?<![\w./=-])(?:node(?:js)?|npm|npx|pnpm|pnpx|yarn|corepack|tsx|ts-node|vite-node)(?=$|[\s"';|&)])|\.[cm]?[jt]s\b/

/**
 * Whether a command starts Node without its guard: it drops the variable that loads the guard, and does not find the
 * `node` of the guard in the PATH either.
 *
 * @param shim the folder of that `node`, where there is one
 */
function losesGuard(command: string, shim: string | undefined): boolean {
  const byPath = NODE_BY_PATH.test(command) || command.includes(process.execPath)
  const starts = byPath || NODE.test(command)
  if (!starts) return false
  const dropsAll = DROPS_ALL.test(command)
  if (!dropsAll && !DROPS_OPTIONS.test(command)) return false
  if (byPath || !shim) return true
  if (command.includes(shim)) return false
  return dropsAll ? DROPS_PATH.test(command) || !/\bPATH=/.test(command) : DROPS_PATH.test(command)
}

/** The error text for a command that would start Node without its guard. */
function explainLostGuard(command: string): string {
  const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command
  return (
    `The command \`${shown}\` takes the guard of vitest-cassette away from Node, which could then reach a provider: it is not started.\n` +
    'Keep the value of the variable (NODE_OPTIONS="$NODE_OPTIONS --your-option"), or call Node by its name, and ' +
    'let a PATH begin with the one that is there (env -i PATH="$PATH:…" node …).'
  )
}
