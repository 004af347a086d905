import { HttpNetworkFrame, NetworkSource } from 'msw/experimental'
import { runThrough } from '../patch/own-proxies.ts'
import { askOthers } from './ask-others.ts'
import type { ServedRequest } from './serve-connection.ts'

let last = 0

/** The requests of connections, for the handlers of MSW. */
export class ConnectionSource extends NetworkSource<RequestFrame> {
  enable(): void {}

  /** Has a request answered by the mocks of others, or else by the handlers; one that nobody answers is sent on. */
  async take(exchange: ServedRequest): Promise<void> {
    try {
      const request = exchange.toRequest()
      const { isBelowOthers, proxy } = exchange.place
      if (!isBelowOthers && (await askOthers(request, exchange))) return
      const ask = (): Promise<void> => this.queue(new RequestFrame(exchange, request))
      await (proxy ? runThrough({ https_proxy: proxy, http_proxy: proxy }, ask) : ask())
      // Handlers may be gone by now.
      exchange.pass()
    } catch (error) {
      exchange.fail(exchange.signal.aborted ? undefined : (error as Error))
    }
  }
}

class RequestFrame extends HttpNetworkFrame {
  readonly #exchange: ServedRequest

  constructor(exchange: ServedRequest, request: Request) {
    super({ id: `connection-${++last}`, request })
    this.#exchange = exchange
  }

  respondWith(response?: Response): void {
    if (response) this.#exchange.respond(response)
  }

  errorWith(reason?: unknown): void {
    if (reason instanceof Response) this.respondWith(reason)
    else this.#exchange.fail()
  }

  passthrough(): void {
    this.#exchange.pass()
  }
}
