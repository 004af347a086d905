/** The path at which a worker asks whether it may open a WebSocket. Chromium stops the request before it leaves. */
export const SOCKET_PATH = '/.vitest-cassette/socket'

/** What a worker is told that may. */
export const MAY_OPEN = 'yes'

/**
 * A script after which the workers of a page, and those of its workers, open a WebSocket only once they have asked.
 *
 * @param base where a worker asks; by default at the origin of the page
 */
export function workerGuard(base?: string): string {
  return `(${guardScope})(...${JSON.stringify([SOCKET_PATH, MAY_OPEN, base])});`
}

/** The text of a worker with a script before its first line. */
export function withGuard(guard: string, text: string): string {
  return /^\s*['"]use strict/.test(text) ? `'use strict';${guard}${text}` : guard + text
}

/** Runs in pages and in workers, so it can use nothing of this module. */
function guardScope(path: string, yes: string, base: string | null): void {
  const scope = globalThis as typeof globalThis & { document?: Document; guardedByCassettes?: true }
  const { document, XMLHttpRequest } = scope
  const origin = base ?? (document && URL.canParse(path, document.baseURI) && document.baseURI)
  // A service worker has no synchronous requests.
  if (!origin || !XMLHttpRequest || scope.guardedByCassettes) return
  Object.defineProperty(scope, 'guardedByCassettes', { value: true })
  const ask = (url: string): string => {
    const request = new XMLHttpRequest()
    request.open('GET', url, false)
    request.send()
    return request.responseText
  }
  const own = `(${guardScope})(...${JSON.stringify([path, yes, origin])});`
  const known = new Map<string, string>()
  // Scripts that a server sends are guarded on their way.
  const guarded = (url: string): string => {
    if (!/^(?:blob|data):/i.test(url)) return url
    try {
      const text = ask(url)
      const whole = /^\s*['"]use strict/.test(text) ? `'use strict';${own}${text}` : own + text
      const type = 'text/javascript'
      return /^data/i.test(url)
        ? `data:${type};charset=utf-8,${encodeURIComponent(whole)}`
        : URL.createObjectURL(new Blob([whole], { type }))
    } catch {
      return url
    }
  }
  for (const name of ['Worker', 'SharedWorker'] as const) {
    // Not every browser, nor every scope, has all.
    if (!scope[name]) continue
    scope[name] = new Proxy<typeof Worker>(scope[name] as typeof Worker, {
      construct(target, [given, ...rest]: [unknown, ...unknown[]], newTarget) {
        const url = String(given)
        if (!known.has(url)) known.set(url, guarded(url))
        return Reflect.construct(target, [known.get(url), ...rest], newTarget) as Worker
      },
    }) as never
  }
  if (document) return
  scope.WebSocket = new Proxy(scope.WebSocket, {
    construct(target, [given, ...rest]: [unknown, ...unknown[]], newTarget) {
      const asked = new URL(String(given), origin).href.replace(/^http/, 'ws')
      const at = new URL(`${path}?url=${encodeURIComponent(asked)}`, origin)
      if (ask(at.href) !== yes) throw new TypeError(`Refused by vitest-cassette: ${asked}`)
      return Reflect.construct(target, [given, ...rest], newTarget) as WebSocket
    },
  })
}
