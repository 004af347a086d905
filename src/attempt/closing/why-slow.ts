import { isRecorded, type RecordedExchange } from '../../cassette/cassette.ts'
import { findSymlink } from '../../cassette/paths.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { markCalls } from '../../engine/incoming.ts'
import { isSaidAt, leading } from '../../engine/may-lead.ts'
import type { Session } from '../../engine/session.ts'
import type { AskedRequest } from '../../engine/session-contract.ts'
import { copyPlain, equal } from '../../json/walk.ts'
import { rawHashOfSent } from '../../providers/raw-hash.ts'
import { readFileSync } from '../../real/files.ts'
import { loadLater } from '../../real/load-later.ts'
import { join } from '../../real/path.ts'
import { SealedFile } from '../../replay/sealed-file.ts'
import type { SlowCalls, SlowReason } from '../../replay/slow-reason.ts'
import { holdsText, MAY_BE_PLACEHOLDER } from '../../text/holds-text.ts'
import { hostWithoutPort } from '../../wire/address.ts'
import { asItWasSent, jsonOf, textOf } from '../../wire/body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { Attempt } from '../attempt.ts'
import { repliesByPromptAlone } from '../open-sealed.ts'
import type { Owner } from '../owner.ts'

// Most files have a seal that holds.
const loadWhyUnsealed: () => typeof import('./why-unsealed.ts') = loadLater(
  './why-unsealed.mjs',
  () => import('./why-unsealed.ts'),
)

/** A replayed request. */
type Replayed = Extract<AskedRequest, { replayed: object }>

function isSlow(asked: AskedRequest): boolean {
  return asked.replayed !== undefined && asked.slow !== undefined && asked.speaker === undefined
}

/** Finds out why requests of an attempt were not replayed by their hash. Nothing here runs while a test asks. */
export function whySlow({ owner, config, session }: Attempt): SlowCalls {
  const slow = session.asked.filter((one): one is Replayed => isSlow(one))
  // The first request that is not answered by its hash opens a session, which answers all that follow.
  const first = slow.reduce((one, other) => (other.order < one.order ? other : one), slow[0]!)
  const places = new Map(session.recorded.map(({ exchange }, place) => [exchange, place]))
  let file: SealedFile | SlowReason | undefined
  const reasonOf = (asked: Replayed): SlowReason => {
    if (asked.slow!.way) return asked.slow!.way
    if (!isRecorded(asked.replayed)) return 'written'
    if (asked.replayed.wire.request.imported) return 'imported'
    if (isNewer(session)) return 'parameter'
    file ??= openFile(owner, config)
    if (typeof file === 'string') return file
    const place = places.get(asked.replayed)
    const own = place === undefined ? 'unknown' : reasonOfCall(asked, file, place, config)
    return own === 'unknown' && asked !== first ? 'after' : own
  }
  const counts: SlowCalls = {}
  for (const asked of slow) {
    const reason = reasonOf(asked)
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/** Whether a parameter is declared that the cassette was recorded without. */
function isNewer({ params, cassette }: Session): boolean {
  return Object.keys(params.values).some((name) => !Object.hasOwn(cassette?.params ?? {}, name))
}

/** The options that can keep a whole test from it, in the order of the documentation. */
const OPTIONS = [
  'images',
  'speakers',
  'faults',
  'pace',
  'maxAge',
  'maxFailures',
  'retiredModels',
  'whyInvalid',
] as const satisfies Array<keyof ResolvedConfig>

const PLAIN: Parameters<typeof repliesByPromptAlone>[0] = {
  mode: 'replay',
  speakers: [],
  faults: [],
  retiredModels: [],
  images: { match: 'exact' },
  pace: 'instant',
}

/** The file of an attempt, or why none of its exchanges is found by its hash. */
function openFile(owner: Owner, config: ResolvedConfig): SealedFile | SlowReason {
  const options = OPTIONS.filter(
    (name) => !repliesByPromptAlone({ ...PLAIN, [name]: config[name] }),
  )
  if (options.length > 0) return `option:${options.join('+')}`
  if (owner.take) return 'row'
  const file = join(owner.root, config.dir, owner.path(config.dir))
  if (!config.followLinks && findSymlink(owner.root, file) !== undefined) return 'link'
  try {
    const bytes = readFileSync(file)
    return SealedFile.read(bytes, owner.sample) ?? loadWhyUnsealed().reasonOfFile(bytes.toString())
  } catch {
    // A test can have removed it.
    return 'unknown'
  }
}

function reasonOfCall(
  { replayed, forgiven = [], slow }: Replayed,
  file: SealedFile,
  place: number,
  { unordered, volatile }: ResolvedConfig,
): SlowReason {
  const { incoming, isEarly, isAgain } = slow!
  const { request, response } = (replayed as RecordedExchange).wire
  if (isAgain) return 'repeated'
  if (isSpecial(request.url, response)) return 'response'
  if (!incoming) return 'unknown'
  if (forgiven.length > 0) return 'volatile'
  const { sent, wire } = incoming
  if (!equal(jsonOf(sent.body) ?? null, jsonOf(wire.body) ?? null)) return 'redacted'
  if (holdsText(sent.body, MAY_BE_PLACEHOLDER)) return 'redacted'
  if (Object.values(wire.headers ?? {}).some((value) => value.startsWith('digest ')))
    return 'header'
  const now = { ...wire, body: asItWasSent(wire.body, sent.body) }
  const { method, url, headers = {} } = now
  const raw = rawHashOfSent({
    method,
    url,
    headers: Object.entries(headers),
    body: textOf(now.body),
  })
  if (file.hashes[place]!.slice(23, 45) !== raw) return differenceOf(request, now)
  const isInOrder = !unordered || volatile.length > 0 || file.isInOrder
  return isEarly && isInOrder ? 'order' : 'unknown'
}

/** Whether more has to be done for a response than to send it: it broke off, or its client may be led elsewhere by it. */
function isSpecial(url: string, { status, headers, body, cut, aborted }: WireResponse): boolean {
  const isWhole = status >= 200 && status < 300 && !cut && aborted === undefined
  return (
    !isWhole ||
    leading(headers).length > 0 ||
    holdsText(body, MAY_BE_PLACEHOLDER) ||
    (!isSaidAt(url) && textOf(body).includes('//'))
  )
}

/** The difference between two equal requests that are spelled otherwise. What no recording settles comes first. */
function differenceOf(recorded: WireRequest, now: WireRequest): SlowReason {
  const [old, fresh] = [new URL(recorded.url), new URL(now.url)]
  if (hostWithoutPort(old) !== hostWithoutPort(fresh)) return 'host'
  const [one, other] = [jsonOf(recorded.body), jsonOf(now.body)]
  if (one !== undefined && other !== undefined && !equal(one, other)) {
    if (equal(copyPlain(one), copyPlain(other))) return 'spelling'
    const [before, after] = [recorded, now].map((wire) => copyPlain(jsonOf(markCalls(wire).body)!))
    return equal(before!, after!) ? 'call-id' : 'unknown'
  }
  if (one !== undefined && JSON.stringify(one) !== JSON.stringify(other)) return 'key-order'
  if (textOf(recorded.body) !== textOf(now.body)) return 'spelling'
  return old.pathname + old.search === fresh.pathname + fresh.search ? 'unknown' : 'address'
}
