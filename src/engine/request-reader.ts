import type { VolatileRule } from '../config/volatile-rule.ts'
import type { WireRequest } from '../wire/message.ts'
import { readIncoming, type Incoming } from './incoming.ts'

/** Reads stored requests in their order: on a socket, each stands after the one that its `after` names. */
export class RequestReader {
  readonly #volatile?: readonly VolatileRule[]
  readonly #read: Map<string, Incoming> = new Map()

  /** @param volatile the rules for values that may vary between runs */
  constructor(volatile?: readonly VolatileRule[]) {
    this.#volatile = volatile
  }

  /** @param id the name by which the `after` of a later request refers to it */
  read(id: string, request: WireRequest): Incoming {
    const before = request.after === undefined ? undefined : this.#read.get(request.after)
    const incoming = readIncoming(request, { volatile: this.#volatile, before })
    this.#read.set(id, incoming)
    return incoming
  }
}
