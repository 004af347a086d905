import { onlyReplayed } from '../../src/engine/adopt.ts'
import type { Session } from '../../src/engine/session.ts'
import { Attempt } from '../../src/attempt/attempt.ts'
import type { Ended, Host, OpenSession, Owner } from '../../src/attempt/owner.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { hostOn, layers } from '../../src/transports/layers.ts'
import { openExample } from '../engine/example-session.ts'

/** An attempt whose session is there. */
export function attemptWith(session: Session, close = async (): Promise<Ended> => ({})): Attempt {
  const owner = ownerIn('/', session)
  const open: OpenSession = { session, owner, another: () => open }
  return new Attempt(owner, session.config, { open: () => open, onlyReplayed, close })
}

/** An attempt whose cassette is `a.json` in a folder, and how often a session was opened for it. */
export function openIn(folder: string, options: CassetteOptions = {}, other: Partial<Host> = {}) {
  const config = resolveConfig({ dir: '.', ...options }, { ci: false, recordInCi: false })
  const host = { ...hostOn(layers), ...other }
  const opened: string[] = []
  const attempt = new Attempt(ownerIn(folder, openExample(undefined)), config, {
    ...host,
    open(...given) {
      opened.push('session')
      return host.open(...given)
    },
  })
  return { attempt, opened, config }
}

function ownerIn(root: string, { test }: Session): Owner {
  return {
    root,
    test: () => test,
    path: () => 'a.json',
    hasCassette: () => true,
    shown: (path) => path,
  }
}
