import { web } from '../../../real/web.ts'

/** A response with the `url` and the `type` that a response of fetch has, as have its clones. */
export interface FetchedResponse extends Response {
  readonly type: 'basic'
}

type Fetched = new (body: BodyInit | null, init: ResponseInit, asked: string) => FetchedResponse

/** Made for the first answer: to load the `Response` of Node takes longer than all of a replay. */
let known: Fetched | undefined

/** Makes a response as fetch would for a request to an address. */
export function fetchedResponse(
  body: BodyInit | null,
  init: ResponseInit,
  asked: string,
): FetchedResponse {
  known ??= define()
  return new known(body, init, asked)
}

/** Gives a response of another make the `url`, `type` and `clone` that a response of fetch has. */
export function asFetched(response: Response, asked: string): FetchedResponse {
  return isFetched(response) ? response : fetchedResponse(response.body, response, asked)
}

export function isFetched(response: unknown): response is FetchedResponse {
  return known !== undefined && response instanceof known
}

function define(): Fetched {
  class Fetched extends web.Response {
    readonly #url: string

    constructor(body: BodyInit | null, init: ResponseInit, asked: string) {
      super(body, init)
      this.#url = asked
    }

    override get url(): string {
      const fragment = this.#url.indexOf('#')
      return fragment < 0 ? this.#url : this.#url.slice(0, fragment)
    }

    override get type(): 'basic' {
      return 'basic'
    }

    override clone(): Response {
      return asFetched(super.clone(), this.#url)
    }
  }
  // Code that looks at `constructor` sees `Response`.
  Object.defineProperty(Fetched.prototype, 'constructor', { value: web.Response })
  return Fetched
}

/** Answers whose body is one chunk, complete from the start. */
export const whole: WeakSet<Response> = new WeakSet()

/** Marks an answer as one chunk. */
export function markWhole(response: Response): Response {
  whole.add(response)
  return response
}
