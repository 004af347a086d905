import { CassetteReader, parseStored } from '../cassette/reader.ts'
import { decodeBodies } from '../cassette/decode.ts'
import { standInFolder } from '../cassette/paths.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { RunStatistics } from '../config/option-values.ts'
import { type Cassette, sampleIn } from '../cassette/cassette.ts'
import { Session } from '../engine/session.ts'
import type { ParamValues } from '../config/check-params.ts'
import { Params } from '../conversation/params.ts'
import { factsOf, judgeValidity } from '../features/judge-validity.ts'
import { realTime } from '../real/clock.ts'
import { loadRedactions } from '../secrets/redactions.ts'
import type { ReplayByHash } from '../replay/replay-by-hash.ts'
import type { SealedFile } from '../replay/sealed-file.ts'
import type { Attempt } from './attempt.ts'
import type { ReadValues } from './live-values.ts'
import type { OpenSession, Owner } from './owner.ts'
import type { ValidityVerdict } from '../engine/recorded.ts'

/** The part of the engine that loads when an attempt does more than replay word for word. */
export type HostEngine = Pick<
  typeof import('./attempt-engine.ts'),
  'keepPaidAnswer' | 'laterCases' | 'loadRare' | 'refuseSharedName' | 'refuseTitle' | 'reserve'
>

/**
 * Opens the session of an attempt. Nothing is read before its first request.
 *
 * @param engine loads the parts that a plain replay does not need
 * @param sealed the replay from which it goes on
 * @param params the parameters that the test declared before
 */
export function openSession(
  owner: Owner,
  config: ResolvedConfig,
  engine: () => HostEngine,
  sealed?: ReplayByHash,
  params?: Params,
): OpenSession {
  const { root } = owner
  const place = {
    root,
    get path() {
      return owner.path(config.dir)
    },
  }
  const test = owner.test(config.dir)
  const { dir, maxCassetteBytes: most, followLinks, run } = config
  const reader = new CassetteReader(root, dir, most, parseStored, followLinks)
  const standIns =
    run?.by === 'record'
      ? new CassetteReader(standInFolder(run.folder, root, dir), '.', most, parseStored)
      : undefined
  let from = sealed
  const session = new Session({
    test,
    config,
    sample: owner.sample,
    load(mode) {
      const { path } = place
      const standIn = standIns?.load(path)
      if (standIn || mode !== 'replay') return standIn ?? reader.load(path, mode === 'all')
      if (!from) return reader.load(path)
      try {
        return decodeBodies(from.cassette)
      } finally {
        from.forget()
        from = undefined
      }
    },
    rare: () => engine().laterCases,
    mayAsk: (asked) =>
      engine().refuseTitle(session) ??
      engine().refuseSharedName(place) ??
      (session.guessable &&
        loadRedactions().refuseGuessable(session.guessable, asked.recording!.incoming.wire)) ??
      engine().reserve(session, asked),
    keep: async (asked, isLate) => engine().keepPaidAnswer(open, asked, isLate),
    judge: (cassette, options) =>
      judgeRecording(cassette, options, (since) =>
        engine().loadRare().readStatistics(root).runsOf(`${config.dir}/${place.path}`, since),
      ),
    env: process.env,
  })
  session.take = owner.take
  const open: OpenSession = {
    session,
    owner,
    another: (other) => openSession(owner, other, engine),
  }
  session.late.hear = (request) => owner.late?.hear(session, request)
  if (params) session.params = params
  const values = sealed?.values as ReadValues | undefined
  if (sealed) session.resume(sealed, values?.otherwise)
  return open
}

/** Decodes the file of a replay by hashes, for what asks for more than its answers. */
export function decodeSealed(file: SealedFile, owner: Owner, config: ResolvedConfig): Cassette {
  const { dir, maxCassetteBytes, followLinks } = config
  const reader = new CassetteReader(owner.root, dir, maxCassetteBytes, parseStored, followLinks)
  const cassette = reader.decode(owner.path(dir), file.bytes)
  return file.hashes.length < cassette.exchanges.length
    ? { ...cassette, exchanges: sampleIn(cassette, owner.sample ?? 1) }
    : cassette
}

/**
 * Asks every strategy whether a cassette is still valid, by the current time and the statistics of this machine.
 *
 * @param runsOf reads the statistics of earlier runs
 */
function judgeRecording(
  cassette: Cassette,
  config: ResolvedConfig,
  runsOf: (since: string) => RunStatistics | undefined,
): ValidityVerdict[] {
  // Reading them takes time, and only these two options use them.
  const needsRuns = config.maxFailures !== undefined || config.whyInvalid !== undefined
  const runs = needsRuns ? runsOf(cassette.timestamp) : undefined
  return judgeValidity(factsOf(cassette, runs), config, realTime())
}

/**
 * Declares parameters of an attempt.
 *
 * @throws CassetteError as {@link Session.declare} does.
 */
export function declareParams(
  attempt: Pick<Attempt, 'declare' | 'isRunning' | 'params' | 'session'>,
  values: ParamValues,
): void {
  if (attempt.isRunning) attempt.session.declare(values)
  else attempt.declare((attempt.params ?? new Params()).with(values))
}
