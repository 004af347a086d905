import type { Socket } from 'node:net'
import { builtin } from '../../../real/builtin.ts'

/** The context in which interceptors of MSW ignore a connection; every copy of its library shares it. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
  consume(): boolean
}

/**
 * Lets one interceptor alone answer a connection. A library such as nock brings its own copy of MSW's, which takes the
 * connection that another copy has already taken for a new one; so a client got two answers at once. Encloses the
 * interceptor that `enable` opens, since either may lie above the other. Returns a function that ends this, to be called
 * before that interceptor ends and after it.
 */
export function mockOnce(enable: () => void): () => void {
  const { prototype } = builtin('node:net').Socket
  const layers = [addLayer(prototype)]
  enable()
  layers.push(addLayer(prototype))
  return () => layers.toReversed().forEach((layer) => layer.end())
}

/** A layer stays where it is, and does nothing, as long as others lie above it. */
function addLayer(prototype: Socket): { isOpen: boolean; end(): void } {
  const { connect } = prototype
  const layer = {
    isOpen: true,
    end(): void {
      layer.isOpen = false
      if (prototype.connect === layered) prototype.connect = connect
    },
  }
  const layered = function (this: Socket, ...args: unknown[]): Socket {
    const go = (): Socket => Reflect.apply(connect, this, args)
    const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as {
      __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
    }
    if (!layer.isOpen || !context || !isMocked(args)) return go()
    return context.run(() => {
      const socket = go()
      // Used up here, or the connections that the listeners of this one make would pass as well.
      context.consume()
      return socket
    })
  } as typeof connect
  prototype.connect = layered
  return layer
}

/** An interceptor that has taken a connection looks its name up itself. */
function isMocked([options]: unknown[]): boolean {
  return (
    (options as { lookup?: { name?: unknown } } | null | undefined)?.lookup?.name === 'mockLookup'
  )
}
