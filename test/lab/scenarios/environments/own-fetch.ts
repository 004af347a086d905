// An environment with a fetch of its own, as edge-runtime has one: its classes too, which are there for good in a vm pool.
import { createContext, runInContext } from 'node:vm'
import * as undici from 'undici'
import type { Environment } from 'vitest/runtime'

const { Headers, Request, Response } = undici
const own = {
  fetch: (...args: Parameters<typeof undici.fetch>) => undici.fetch(...args),
  Headers,
  Request,
  Response,
}

export default {
  name: 'own-fetch',
  viteEnvironment: 'ssr',
  setup(global) {
    const before = Object.getOwnPropertyDescriptors(global)
    Object.assign(global, own)
    return {
      teardown(global) {
        for (const name of Object.keys(own)) Object.defineProperty(global, name, before[name]!)
      },
    }
  },
  setupVM() {
    const context = createContext()
    const known = new Set(runInContext('Object.getOwnPropertyNames(globalThis)', context))
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!known.has(name) && !(name in own)) context[name] = Reflect.get(globalThis, name)
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(context, name, { value, writable: true })
    return { getVmContext: () => context, teardown() {} }
  },
} satisfies Environment
