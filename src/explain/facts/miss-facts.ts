import { matchesHost } from '../../config/hosts.ts'
import { comparableTo, type Incoming } from '../../engine/incoming.ts'
import type { PartialSuggestion } from '../../engine/match.ts'
import { isUnaskedExchange, type Recorded } from '../../engine/recorded.ts'
import type { FollowedAddress } from '../../engine/followed-addresses.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import { STARTED_HERE } from '../../errors.ts'
import { differsInAddressAlone } from '../../features/keep-answer.ts'
import { suggestPart } from '../../features/suggest.ts'
import { providerOf } from '../../providers/providers.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { type Closest, findClosest } from '../closest.ts'
import type { RecordedElsewhere, FindElsewhere } from '../elsewhere.ts'
import { paint } from '../labelled.ts'
import { canKeepAnswer } from '../ways-out.ts'
import { adviseOnEnvFile, explainAddress } from '../failures/address.ts'
import { followedAddressOf } from './followed.ts'

/** What is known of a request that nothing answers. Each fact is found out when a table asks for it. */
export class MissFacts {
  readonly session: Session
  readonly miss: Miss
  /** Whether its diff may have colours. */
  readonly color: boolean
  readonly #find: FindElsewhere | undefined
  #closest?: { found: Closest | undefined }
  #elsewhere?: { found: RecordedElsewhere | undefined }
  #address?: string
  #keeps?: boolean

  /** @param find finds where else the prompt is recorded, if its runner knows */
  constructor(session: Session, miss: Miss, color: boolean, find?: FindElsewhere) {
    this.session = session
    this.miss = miss
    this.color = color
    this.#find = find
  }

  get incoming(): Incoming {
    return this.miss.incoming
  }

  /** The exchange with which the request is compared. */
  get closest(): Closest | undefined {
    this.#closest ??= { found: findClosest(this.session, this.session.recorded, this.incoming) }
    return this.#closest.found
  }

  /** The recorded request with which it is compared; `undefined` where that exchange is written by hand. */
  get known(): Incoming | undefined {
    return this.closest?.recorded.incoming
  }

  /** The closest exchange, where it is written by hand. */
  get written(): Recorded | undefined {
    const { closest } = this
    return closest && !closest.recorded.incoming ? closest.recorded : undefined
  }

  /** Whether the prompt of the closest exchange is known, so that it can be compared. */
  get isCompared(): boolean {
    const { closest } = this
    return closest?.recorded.incoming !== undefined && !isUnaskedExchange(closest.recorded)
  }

  /** How many exchanges have this prompt. */
  get answering(): number {
    return this.session.countAnswering(this.incoming)
  }

  /** The answer that led to the address of the request. */
  get followed(): FollowedAddress | undefined {
    return followedAddressOf(this.session, this.miss)
  }

  /** Names both addresses, and the variable behind one; empty where they are equal. */
  get address(): string {
    this.#address ??= this.known ? explainAddress(this.known.wire, this.incoming.wire) : ''
    return this.#address
  }

  /** Whether nothing but the address differs. */
  get differsInAddressAlone(): boolean {
    const { address, known, incoming, session } = this
    return address !== '' && differsInAddressAlone(known!, incoming, session.config.volatile)
  }

  /** Whether a line in the config settles it, so that nothing has to be recorded. */
  get isSettledByConfig(): boolean {
    return (
      this.differsInAddressAlone && adviseOnEnvFile(this.known!.wire, this.incoming.wire) !== ''
    )
  }

  /** Whether the recorded answer can stay. Where nothing differs but values that vary, it would miss in the next run. */
  get keeps(): boolean {
    this.#keeps ??= !this.closest?.suggestion && canKeepAnswer(this.session, this.miss)
    return this.#keeps
  }

  /** The rules for some of the values that differ. */
  get part(): PartialSuggestion | undefined {
    const { known, session } = this
    return known && suggestPart(known, comparableTo(known, this.incoming), session.config.volatile)
  }

  /** The host of the request, where no option names it; only its path says that a model answers there. */
  get unlistedHost(): string | undefined {
    const { config, recorded } = this.session
    const { url } = this.incoming.wire
    const address = new URL(url)
    const isListed =
      providerOf(address) !== undefined || matchesHost(address, [...config.hosts, ...config.mcp])
    const isRecorded = recorded.some((entry) => entry.incoming?.wire.url === url)
    return isListed || isRecorded || isMcpAddress(url) ? undefined : address.host
  }

  /** Where else the prompt is recorded. */
  get elsewhere(): RecordedElsewhere | undefined {
    if (this.miss.reason !== 'unmatched') return undefined
    this.#elsewhere ??= { found: this.#find?.(this.incoming, this.session) }
    return this.#elsewhere.found
  }

  /** Whether the test itself made the request. It can stop its own clock, but not that of a program. */
  get isOfTest(): boolean {
    return this.session.test.optionsOf === undefined && this.miss.callSite?.message !== STARTED_HERE
  }

  /** The command that records the test, as the last line of a sentence. */
  get record(): string {
    return `\n  ${paint.bold(this.session.test.recordCommand)}`
  }
}
