import { nextTurn } from '../../real/clock.ts'

/** Turns of the event loop without any progress, after which a response waits no longer. */
const PATIENCE = 10

/** The responses of one attempt that are in flight. They end in the order of the cassette, that of the recording. */
export class Flights {
  readonly open: Set<Flight> = new Set()
  /** Whether two of them have been in flight together. */
  haveMet = false

  /**
   * Begins a response.
   *
   * @param place that of its exchange in the cassette
   * @param countUnasked counts the exchanges before it that may still be asked for
   */
  begin(place: number, countUnasked: () => number = () => 0): Flight {
    return new Flight(place, this, countUnasked)
  }
}

/** A response on its way to the application. */
export class Flight {
  readonly #place: number
  readonly #all: Flights
  readonly #countUnasked: () => number
  /** Whether the application has it, or can have it. */
  #isGiven = false
  #chunks = 0
  #whole?: Pick<Response, 'body' | 'bodyUsed'>

  constructor(place: number, all: Flights, countUnasked: () => number) {
    this.#place = place
    this.#all = all
    this.#countUnasked = countUnasked
  }

  /** Settles when the responses that ended before it have been read; `undefined` where it has not to wait. */
  get turn(): Promise<void> | undefined {
    const { open } = this.#all
    for (const flight of open) if (!flight.#wasRead()) this.#all.haveMet = true
    open.add(this)
    if (this.#state !== '') return this.#wait()
    this.#isGiven = true
    return undefined
  }

  /** A chunk of it was read. */
  read(): void {
    this.#chunks++
  }

  /** It was given as a whole: it ends when it is read. */
  give<One extends Response>(response: One): One {
    this.#whole = response
    return response
  }

  /** All of it was read, or nobody reads the rest. */
  end(): void {
    this.#all.open.delete(this)
  }

  /** Waits for no timer: what comes before has to be on its way already. */
  async #wait(): Promise<void> {
    let idle = 0
    for (let state = this.#state; state !== '' && idle < PATIENCE; ) {
      await nextTurn()
      idle = this.#state === state ? idle + 1 : 0
      state = this.#state
    }
    for (const flight of this.#ahead) if (flight.#isGiven) flight.end()
    this.#isGiven = true
  }

  get #ahead(): Flight[] {
    return [...this.#all.open].filter((one) => one.#place < this.#place && !one.#wasRead())
  }

  /** What has still to come before it, in a form that shows progress; empty where nothing has. */
  get #state(): string {
    const unasked = this.#countUnasked()
    const ahead = this.#ahead.map((flight) => `${flight.#place}:${flight.#chunks}`)
    return unasked === 0 && ahead.length === 0 ? '' : [unasked, ...ahead].join()
  }

  /** Whether all of it was read; it is forgotten then. */
  #wasRead(): boolean {
    const isRead = this.#whole !== undefined && (this.#whole.bodyUsed || !this.#whole.body)
    if (isRead) this.end()
    return isRead
  }
}
