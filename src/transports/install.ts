import type { ResolvedConfig } from '../config/resolved-config.ts'
import { inRealWorld, withRealValues } from '../real/real-world.ts'
import type { LlmCall } from './intercept/call/judge-address.ts'
import type { Layers } from './layers.ts'
import { configHere, configOf, currentScope, failing, type Scope } from './scope.ts'
import { type Answering, interception, openEntrances } from './intercept/entrances.ts'
import { noteListening } from './intercept/context/note-listening.ts'
import { patchStarts } from './intercept/guard/patch-starts.ts'
import { guardSockets } from './intercept/guard/guard.ts'
import type { FetchAnswers } from './intercept/http/fetch-interceptor.ts'
import type { TestRules, TunnelRules } from './intercept/guard/test-rules.ts'
import { listenLater } from './intercept/patch/channels.ts'
import { keepWhenLoaded, patchTogether } from './intercept/patch/when-loaded.ts'
import { answering } from './gateway/answering.ts'
import type { Gateways } from './child-environment.ts'

/** The channels to which the listeners of requests and of idle connections listen. */
export const CHANNELS = [
  'http.client.request.created',
  'http.server.request.start',
  'undici:client:sendHeaders',
  'undici:request:create',
  'undici:request:error',
  'undici:request:trailers',
] as const

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
  if (config.network === 'closed') layers.closed().begin(config)
  if (installed) {
    installed.config = config
    return
  }
  // The entrances of an earlier file in a vm pool. Until here they answered requests for which that file had not
  // waited: its timers outlive it.
  removeInterception()
  const state = (installed = { config })
  const { calls, connections } = layers
  const inner: Pick<FetchAnswers, 'judge' | 'answer'> = {
    judge(method, url, scope) {
      const config = configOf(scope, state.config)
      return config.mode === 'off' ? 'no' : calls().judgeInScope(method, url, scope, config)
    },
    answer: (request, context) =>
      calls().answer(request, context, state.config, layers, inRealWorld),
  }
  const judge = failing((method: string, url: string, scope: Scope | undefined): LlmCall =>
    withRealValues(() => inner.judge(method, url, scope)),
  )
  const isLlmCall = (method: string, url: string): boolean =>
    judge(method, url, currentScope()) !== 'no'
  let tunnels: TunnelRules | undefined
  let ofTests: TestRules | undefined
  const rules = (): TestRules =>
    (ofTests ??= connections().rulesOfTests(() => state.config, gateways, layers.mcp))
  // In replay nothing is sent to a provider, whatever opens the connection, and a test fails if its connection is
  // refused.
  const guard = (): (() => void) => {
    const endSockets = guardSockets((connection) => rules().refusalOf(connection), connections)
    const endChildren = patchStarts(() => rules().children)
    return () => {
      endSockets()
      endChildren()
    }
  }
  const entrances: Answering = {
    judge,
    isLlmSocket: (url) => calls().isLlmSocketInScope(url, currentScope(), configHere(state.config)),
    answer: failing((request, context) => withRealValues(() => inner.answer(request, context))),
    inner,
    tunnels: () => (tunnels ??= connections().tunnelsOfTests(() => state.config)),
    answerSocket: (handshake, context) => void layers.sockets().answerSocket(handshake, context),
    send: async (request) => layers.engine().sendUpstream(await layers.replay().readWhole(request)),
    calls,
    later: layers.replay,
    byHash: (request, { scope, order }) =>
      typeof scope === 'object' && scope.sealed
        ? layers.sealed().replayPlain(request, order, scope, entrances, calls)
        : undefined,
    sealed: (...call) => layers.sealed().fetchSealed(calls, ...call),
    network: layers.network,
    taking: layers.taking,
  }
  const ends = patchTogether(() => [
    noteListening(),
    keepWhenLoaded('node:crypto'),
    listenLater(CHANNELS, () => [
      layers.requests().requestListeners(isLlmCall, entrances.isLlmSocket),
      layers.requests().idleListeners(isLlmCall),
    ]),
    ...(process.versions.bun
      ? layers.bun().openBun(entrances, rules, gateways)
      : openEntrances(entrances, guard)),
    () => gateways.close(),
  ])
  answering.gateways = gateways
  interception.isOwn = true
  interception.end = () => {
    patchTogether(() => ends.toReversed().forEach((end) => end()))
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
