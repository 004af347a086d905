import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The fetch of cross-fetch and isomorphic-fetch in Node too. */
const nodeFetch2 = (): any => require('node-fetch-2')

/** The globals of each world, by the names of Node's that they replace. */
const worlds: Record<string, () => Promise<object>> = {
  async 'node-fetch-3'() {
    const {
      default: fetch,
      Request,
      Response,
      Headers,
      FormData,
      Blob,
      File,
    } = await import('node-fetch')
    return { fetch, Request, Response, Headers, FormData, Blob, File }
  },
  async 'node-fetch-2'() {
    const { default: fetch, Request, Response, Headers } = nodeFetch2()
    return { fetch, Request, Response, Headers }
  },
  async undici() {
    const { fetch, Request, Response, Headers, FormData } = await import('undici')
    return { fetch, Request, Response, Headers, FormData }
  },
  // What old set-up files put there for jsdom: no fetch.
  async polyfills() {
    const { Request, Response, Headers } = nodeFetch2()
    return { Request, Response, Headers }
  },
  async streams() {
    const { ReadableStream, WritableStream, TransformStream } = await import('web-streams-polyfill')
    return { ReadableStream, WritableStream, TransformStream }
  },
  async 'abort-controller'() {
    const { AbortController, AbortSignal } = await import('abort-controller')
    return { AbortController, AbortSignal }
  },
  async everything() {
    const FormData = createRequire(require.resolve('axios'))('form-data')
    const [polyfills, streams, abort] = await Promise.all(
      ['polyfills', 'streams', 'abort-controller'].map((name) => worlds[name]!()),
    )
    return { FormData, ...polyfills, ...streams, ...abort }
  },
  async subclasses() {
    const { Request: OfNode, Response: OfNodeToo, Headers: AndThis } = globalThis
    return {
      Request: class Request extends OfNode {},
      Response: class Response extends OfNodeToo {},
      Headers: class Headers extends AndThis {},
    }
  },
  // It asks by the XMLHttpRequest of the page.
  async 'whatwg-fetch'() {
    const { fetch, Request, Response, Headers } = await import('whatwg-fetch')
    return { fetch, Request, Response, Headers }
  },
}

/** Puts the globals of a world in the places of Node's. */
export async function enter(world: string): Promise<void> {
  for (const [name, value] of Object.entries(await worlds[world]!()))
    Object.defineProperty(globalThis, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    })
}

if (process.env.WORLD) await enter(process.env.WORLD)
