import type { ResolvedConfig } from '../config/resolved-config.ts'
import { inRealWorld, withRealValues } from '../real/real-world.ts'
import { answer, isLlmSocketInScope, judgeInScope, type LlmCall } from './answer.ts'
import type { Layers } from './layers.ts'
import { readWhole } from './intercept/call/whole-request.ts'
import { trackRequests } from './intercept/context/request-context.ts'
import { configHere, configOf, currentScope, failing, type Scope } from './scope.ts'
import { interception, openEntrances } from './intercept/entrances.ts'
import { patchStarts } from './intercept/guard/patch-starts.ts'
import { guardSockets } from './intercept/guard/guard.ts'
import type { TestRules } from './intercept/guard/test-rules.ts'
import { closeIdleConnections } from './intercept/http/idle-connections.ts'
import { keepWhenLoaded } from './intercept/patch/when-loaded.ts'
import { answering } from './address.ts'
import type { Gateways } from './child-environment.ts'

/** The interception of this process. Later files only change its configuration. */
let installed: { config: ResolvedConfig } | undefined

/**
 * Installs interception, once per process.
 *
 * @param gateways answer the children of tests
 */
export function installInterception(
  config: ResolvedConfig,
  layers: Layers,
  gateways: Gateways,
): void {
  if (installed) {
    installed.config = config
    return
  }
  // Not removed at the end of that file: its timers outlive it.
  // The entrances of an earlier file in a vm pool. Until here they answered requests for which that file had not
  // waited.
  removeInterception()
  const state = (installed = { config })
  const judge = failing((method: string, url: string, scope: Scope | undefined): LlmCall => {
    const config = configOf(scope, state.config)
    return config.mode === 'off'
      ? 'no'
      : withRealValues(() => judgeInScope(method, url, scope, config))
  })
  const isLlmCall = (method: string, url: string): boolean =>
    judge(method, url, currentScope()) !== 'no'
  const { connections } = layers
  let ofTests: TestRules | undefined
  const rules = (): TestRules =>
    (ofTests ??= connections().rulesOfTests(() => state.config, gateways, layers.mcp))
  // In replay nothing is sent to a provider, whatever opens the connection, and a test fails if its connection is
  // refused.
  const guard = (): (() => void) => {
    const endSockets = guardSockets(
      (connection) => rules().refusalOf(connection),
      () => connections().guardWires,
    )
    const endChildren = patchStarts(() => rules().children)
    return () => {
      endSockets()
      endChildren()
    }
  }
  const ends = [
    keepWhenLoaded('node:crypto'),
    trackRequests(isLlmCall),
    closeIdleConnections(isLlmCall),
    ...openEntrances(
      {
        judge,
        isLlmSocket: (url) => isLlmSocketInScope(url, currentScope(), configHere(state.config)),
        answer: failing((request, context) =>
          withRealValues(() => answer(request, context, state.config, layers, inRealWorld)),
        ),
        answerTunnel: (authority) => connections().answerTunnel(authority, state.config),
        answerSocket: (handshake, context) =>
          void layers.sockets().answerSocket(handshake, context),
        send: async (request) => layers.engine().sendUpstream(await readWhole(request)),
        network: layers.network,
        connections,
      },
      guard,
    ),
    () => gateways.close(),
  ]
  answering.gateways = gateways
  interception.isOwn = true
  interception.end = () => {
    for (const end of ends.toReversed()) end()
    installed = answering.gateways = undefined
  }
}

/** Whether cassettes of this process answer its requests. */
export function isInterceptionInstalled(): boolean {
  return interception.isOwn === true
}

/** Removes every entrance. */
export function removeInterception(): void {
  const { end } = interception
  // Before it runs: what fails to end now would fail every later file too.
  interception.end = interception.isOwn = undefined
  end?.()
}
