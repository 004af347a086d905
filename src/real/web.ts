import { globalBehindFakes, inRealWorld } from './real-world.ts'

/**
 * The classes of fetch and their streams, as the environment has them: our requests and answers are never made of a
 * polyfill that a test has put in their places. Node loads its clients when one of them is first read.
 */
export const web: Pick<
  typeof globalThis,
  | 'AbortController'
  | 'AbortSignal'
  | 'FormData'
  | 'Headers'
  | 'ReadableStream'
  | 'Request'
  | 'Response'
  | 'TransformStream'
> = new Proxy({} as never, {
  get(_, name) {
    const real = globalBehindFakes(String(name))
    return real ? inRealWorldOnly(real as new () => object) : Reflect.get(globalThis, name)
  },
})

/** A class as the test file found it, which works in the real world whatever the test has put in its place. */
function inRealWorldOnly(real: new () => object): unknown {
  return new Proxy(real, {
    construct: (target, args, made) => inRealWorld(() => Reflect.construct(target, args, made)),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      // `instanceof` asks for a subclass, whose receiver is its own.
      if (typeof value !== 'function' || typeof key === 'symbol') return value
      return (...args: unknown[]) =>
        inRealWorld(() => Reflect.apply(value, target, args) as unknown)
    },
  })
}
