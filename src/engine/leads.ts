import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import { isSaidByModel } from '../dialects/kit/provider-paths.ts'
import { remember } from '../remember.ts'
import { LEADING_HEADERS } from '../wire/answer-headers.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'

/** An address that an answer names, for its client to go on at. */
export interface Lead {
  /** The request that was answered. */
  asked: WireRequest
  to: URL
  /** What names it: the location of a redirect, that of another answer, or the body. */
  by: 'redirect' | 'location' | 'body'
}

/** What of an answer can name an address. */
export type Naming = Pick<WireResponse, 'status' | 'headers' | 'body'>

/** A request as it was sent, and as it is kept. */
type Asking = Pick<Incoming, 'sent' | 'wire'>

/** A text that is an address and nothing else. */
const ADDRESS = /^\s*(?:https?|wss?):\/\//i

/**
 * Where the answers of one attempt lead. A client asks there on behalf of the call that was answered, often with
 * the same prompt and the same key, whatever host it is.
 */
export class Leads {
  readonly #answered: Array<{ asked: Asking; answer: Naming; leads?: Lead[] }> = []

  /** Takes note of an answer as its client gets it, and gives it back. */
  add<Answer extends Naming>(asked: Asking, answer: Answer): Answer {
    if (leading(answer.headers).length > 0 || !isSaidAt(asked.sent.url))
      this.#answered.push({ asked, answer })
    return answer
  }

  /** What leads to an address, if an answer does. */
  to(address: string): Lead | undefined {
    if (this.#answered.length === 0 || !URL.canParse(address)) return undefined
    const url = new URL(address)
    for (const known of this.#answered) {
      known.leads ??= leadsOf(known.asked.wire, known.answer)
      const lead = known.leads.find((one) => covers(one, url))
      if (lead && !(lead.by === 'body' && this.#isAskedFor(lead))) return lead
    }
    return undefined
  }

  /** A client that names an address itself, as the one to be called back at, is not led there. */
  #isAskedFor({ to }: Lead): boolean {
    return this.#answered.some(({ asked }) =>
      addressesIn(asked.wire.body).some((address) => isSamePlace(new URL(address), to)),
    )
  }
}

/** Every address that an answer names. */
export function leadsOf(asked: WireRequest, { status, headers, body }: Naming): Lead[] {
  const by = status >= 300 && status < 400 ? 'redirect' : 'location'
  const located = leading(headers).flatMap(spellingsOf)
  const named = isSaidAt(asked.url) ? [] : addressesIn(body)
  return [
    ...located
      .flatMap((text) => URL.parse(text, asked.url) ?? [])
      .map((to) => ({ asked, to, by }) as const),
    ...named.map((text) => ({ asked, to: new URL(text), by: 'body' as const })),
  ]
}

/**
 * Where a cassette leads its clients to another host, and nothing of it is recorded there: by a location, which
 * clients follow unasked.
 */
export function strayLocations({ exchanges }: Cassette): Array<{ index: number; lead: Lead }> {
  const asked = exchanges.filter(isRecorded).map(({ wire }) => new URL(wire.request.url))
  return exchanges.flatMap((exchange, index) => {
    if (!isRecorded(exchange)) return []
    const { request, response } = exchange.wire
    const lead = leadsOf(request, response).find(
      (one) =>
        one.by !== 'body' && leavesHost(one) && !asked.some((url) => isSamePlace(url, one.to)),
    )
    return lead ? [{ index, lead }] : []
  })
}

/** True where an answer leads away from the host that was asked, or to it without encryption. */
function leavesHost({ asked, to }: Lead): boolean {
  const from = new URL(asked.url)
  return hostOf(to) !== hostOf(from) || (from.protocol === 'https:' && to.protocol === 'http:')
}

/** Whether two addresses are one place, whatever is asked there. */
export function isSamePlace(one: URL, other: URL): boolean {
  return hostOf(one) === hostOf(other) && one.pathname === other.pathname
}

/** A redirect to another host leads to all of that host; any other address to itself and what is below it. */
function covers(lead: Lead, url: URL): boolean {
  if (hostOf(lead.to) !== hostOf(url)) return false
  if (lead.by === 'redirect' && leavesHost(lead)) return true
  return `${url.pathname}/`.startsWith(`${lead.to.pathname}/`)
}

/** The addresses that headers name. */
function leading(headers: Naming['headers']): string[] {
  const named: string[] = []
  for (const name of LEADING_HEADERS) if (headers[name]) named.push(headers[name])
  return named
}

/** Clients turn the bytes of a header into text in two ways. */
function spellingsOf(location: string): string[] {
  return [...new Set([location, Buffer.from(location, 'latin1').toString()])]
}

/** What a model says is no place to go on at, and is not looked through. */
const isSaidAt = remember((url): boolean => {
  const address = URL.parse(url)
  return !address || isSaidByModel(address)
})

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return ADDRESS.test(value) && URL.canParse(value) ? [value] : []
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Object.values(value).flatMap(addressesIn)
}

/** Without the dot of the DNS root, which leads to the same. */
function hostOf({ host }: URL): string {
  return host.replace(/\.(?=:|$)/, '')
}
