import type { ResolvedConfig } from '../config/resolved-config.ts'
import { answer } from './answer/answer.ts'
import type { Layers } from './answer/layers.ts'
import type { LlmCall } from './call/llm-call.ts'
import { readWhole } from './call/whole-request.ts'
import { isLlmSocketHere, judgeHere } from './context/judge-here.ts'
import { trackRequests } from './context/request-context.ts'
import { configHere, configOf, currentScope, type Scope } from './context/scope.ts'
import { openEntrances } from './entrances.ts'
import { answerTunnel, guardTests } from './guard/guard-tests.ts'
import { closeIdleConnections } from './http/idle-connections.ts'
import { installedEnd } from './patch/installed-end.ts'
import { answering } from './redirect/base-url.ts'
import type { Gateways } from './redirect/environment.ts'

/** What is installed in this process; files that come later only change the configuration. */
let installed: { config: ResolvedConfig } | undefined

/**
 * Installs interception, once per process.
 *
 * @param gateways answer what the children of tests ask, which without them are refused
 */
export function installInterception(
  config: ResolvedConfig,
  layers: Layers,
  gateways?: Gateways,
): void {
  if (installed) {
    installed.config = config
    return
  }
  // Those of an earlier file in a vm pool: until here they answered what it had not waited for.
  removeInterception()
  const state = (installed = { config })
  const judge = (method: string, url: string, scope: Scope | undefined): LlmCall => {
    const config = configOf(scope, state.config)
    return config.mode === 'off' ? 'no' : judgeHere(method, url, scope, config)
  }
  const isLlmCall = (method: string, url: string): boolean =>
    judge(method, url, currentScope()) !== 'no'
  const ends = [
    trackRequests(isLlmCall),
    closeIdleConnections(isLlmCall),
    ...openEntrances(
      {
        judge,
        isLlmCall,
        isProvider: ({ href }) => judge('GET', href, currentScope()) === 'certain',
        isLlmSocket: (url) => isLlmSocketHere(url, currentScope(), configHere(state.config)),
        answer: (request, context) => answer(request, context, state.config, layers),
        answerTunnel: (authority) => answerTunnel(authority, state.config),
        answerSocket: (handshake, context) => void layers.engine().answerSocket(handshake, context),
        send: async (request) => layers.engine().sendUpstream(await readWhole(request)),
        network: layers.network,
      },
      () => guardTests(() => state.config, gateways, layers.mcp),
    ),
    () => gateways?.close(),
  ]
  answering.gateways = gateways
  installedEnd.set(() => {
    for (const end of ends.toReversed()) end()
    installed = answering.gateways = undefined
  }, 'own')
}

/** Whether requests of this process are being answered by cassettes of its own. */
export function isInterceptionInstalled(): boolean {
  return installedEnd.isOwn()
}

/** Takes every entrance away again. */
export function removeInterception(): void {
  installedEnd.get()?.()
  installedEnd.set(undefined)
}
