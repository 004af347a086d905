import { rmSync } from 'node:fs'
import { sendsNothing } from '../../config/mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError } from '../../errors.ts'
import { guardChildren } from './guard-children.ts'
import { shared } from '../patch/shared.ts'
import { withShim } from './guard-folder.ts'
import {
  GUARD_FILE,
  isGuarded,
  refusedConnection,
  type GuardPolicy,
  type JudgeConnection,
} from './guard-policy.ts'
import { guardHttp2 } from './guard-http2.ts'
import { guardNames } from './guard-names.ts'
import { guardSockets } from './guard.ts'

const guarded = shared<{ isGuarded?: boolean }>('run-guard', () => ({}))

/**
 * Guards the process of Vitest itself, where global set-ups run, and what it starts: their servers, and
 * workers before their set-up. One project that does not replay leaves it open, as its workers may ask.
 *
 * @param projects the configurations of all projects; may still grow
 */
export function guardRun(projects: ReadonlyMap<string, ResolvedConfig>): void {
  if (guarded.isGuarded) return
  guarded.isGuarded = true
  const policy = (): { hosts: string[]; allowHosts: string[] } | undefined => {
    const configs = [...projects.values()]
    if (configs.some(({ mode }) => !sendsNothing(mode))) return undefined
    return {
      hosts: configs.flatMap(({ hosts }) => hosts),
      allowHosts: configs.flatMap(({ allowHosts }) => allowHosts),
    }
  }
  const judge: JudgeConnection = (connection) => {
    const options = policy()
    if (!options || !isGuarded(connection, options)) return undefined
    return refusedConnection(connection, 'in a global set-up')
  }
  guardSockets(judge)
  guardNames(judge)
  guardHttp2(judge)
  let shimmed: GuardPolicy | undefined
  guardChildren({
    policy() {
      const options = policy()
      if (!options) return undefined
      shimmed ??= removedAtExit(withShim({ file: GUARD_FILE, ...options }))
      return { ...shimmed, ...options }
    },
    refuse: (text) => (policy() ? new CassetteError('refused', text) : undefined),
  })
}

function removedAtExit(policy: GuardPolicy): GuardPolicy {
  process.once('exit', () => rmSync(policy.folder!, { recursive: true, force: true }))
  return policy
}
