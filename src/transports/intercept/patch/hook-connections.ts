import type { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { builtin } from '../../../real/builtin.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { currentScope } from '../../scope.ts'
import type { ConnectionTaker } from '../connection/take-connections.ts'
import { listenLater } from './channels.ts'
import { isOutsideOfMsw, type Loaded } from './outside-of-msw.ts'
import { whenLoaded } from './when-loaded.ts'

type Any = (this: never, ...args: unknown[]) => unknown

/** What clients tell of their connections and requests. */
const CHANNELS = ['undici:client:beforeConnect', 'http.client.request.created']

/**
 * Hands every connection that is about to be made here to a taker, which loads at the first of them. Returns a function
 * that ends this.
 */
export function hookConnections(load: () => ConnectionTaker): () => void {
  let isOpen = true
  const isPast = (): boolean => !isOpen || isOutsideOfMsw() || currentScope() === 'upstream'
  const hook = <Owner extends object>(
    owner: Owner,
    name: keyof Owner,
    take: (
      self: never,
      args: unknown[],
      own: (...args: unknown[]) => unknown,
      isOnTop: boolean,
    ) => unknown,
  ): (() => void) => {
    const one = new Hook(owner as Record<string, Any>, String(name), (own) => {
      return function (this: never, ...args) {
        const past = (...given: unknown[]): unknown => Reflect.apply(own, this, given)
        return isPast() ? past(...args) : inRealWorld(() => take(this, args, past, one.isOnTop))
      }
    })
    return () => one.end()
  }
  const { prototype } = builtin('node:net').Socket
  const ends = [
    hook(prototype, 'connect', (socket: Socket, args, own, isOnTop) =>
      load().connect(socket, args, own as () => Socket, isOnTop),
    ),
    whenLoaded(['node:tls'], () =>
      hook(builtin('node:tls'), 'connect', (_, args, own) =>
        load().connectTls(args, own as () => Socket),
      ),
    ),
    whenLoaded(
      ['node:http', 'node:https'],
      () =>
        hook(
          builtin('node:http').Agent.prototype as Agent & { addRequest: Any },
          'addRequest',
          (agent: Agent, args, own) => load().addRequest(agent, args, own as () => void),
        ),
      'keeps exports',
    ),
    listenLater(CHANNELS, () => [load().listeners]),
    holdOthers(),
  ]
  return () => {
    isOpen = false
    for (const end of ends) end()
  }
}

/**
 * Keeps the interceptors of MSW's library that began before this: one that ends puts back what was there before it, and
 * would take what lies above it away. Returns a function that lets them go.
 */
function holdOthers(): () => void {
  const { __MSW_INTERCEPTORS_REGISTRY: users = new Map() } = globalThis as Loaded
  const owner = {}
  const held = [...users.values()].filter(({ readyState }) => readyState === 'ACTIVE')
  for (const one of held) one.apply(owner)
  return () => held.forEach((one) => one.dispose(owner))
}

/** A function of Node with ours in its place. */
class Hook {
  readonly #owner: Record<string, Any>
  readonly #name: string
  readonly #own: Any
  readonly #ours: Any

  constructor(owner: Record<string, Any>, name: string, make: (own: Any) => Any) {
    this.#owner = owner
    this.#name = name
    this.#own = owner[name]!
    this.#ours = owner[name] = make(this.#own)
  }

  /** Whether nobody who intercepts here too comes first. */
  get isOnTop(): boolean {
    return this.#owner[this.#name] === this.#ours
  }

  end(): void {
    if (this.#owner[this.#name] === this.#ours) this.#owner[this.#name] = this.#own
  }
}
