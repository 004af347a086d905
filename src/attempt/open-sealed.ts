import type { Cassette } from '../cassette/cassette.ts'
import { findSymlink } from '../cassette/paths.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Params } from '../conversation/params.ts'
import { readFileSync, statSync } from '../real/files.ts'
import { join } from '../real/path.ts'
import { inRealWorld } from '../real/real-world.ts'
import { type LiveValues, ReplayByHash } from '../replay/replay-by-hash.ts'
import { SealedFile } from '../replay/sealed-file.ts'
import { loadLiveValues } from './load-live-values.ts'
import type { Owner } from './owner.ts'

/**
 * Opens the cassette of an attempt to replay it by its hashes; `undefined` where a session has to read it: for options
 * that decide about more than the prompt, and for a cassette that is missing, broken or not sealed.
 *
 * @param params the parameters that the test declared
 * @param load loads what decodes its file, which few tests need
 */
export function openSealed(
  owner: Owner,
  config: ResolvedConfig,
  params: Params | undefined,
  load: () => {
    decodeSealed(file: SealedFile, owner: Owner, config: ResolvedConfig): Cassette
  },
): ReplayByHash | undefined {
  if (!repliesByPromptAlone(config) || owner.take) return undefined
  return inRealWorld(() => {
    const path = owner.path(config.dir)
    const file = join(owner.root, config.dir, path)
    if (!config.followLinks && findSymlink(owner.root, file) !== undefined) return undefined
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > config.maxCassetteBytes) return undefined
    const sealed = SealedFile.read(readFileSync(file), owner.sample)
    if (!sealed) return undefined
    const { redact, unordered, volatile } = config
    const isVolatile = volatile.length > 0
    const read = (): LiveValues | undefined => loadLiveValues().readValues(replay, config, params)
    const replay: ReplayByHash = new ReplayByHash(
      sealed,
      // Volatile values of a test can be those of another exchange of the same hash: then the order decides.
      !unordered || isVolatile,
      () => load().decodeSealed(sealed, owner, config),
      isVolatile ? read : undefined,
    )
    if (!params && !sealed.params && redact.length === 0) return replay
    return (replay.values = read()) && replay
  })
}

/** The options that decide about more than the prompt. */
type Deciding = Pick<
  ResolvedConfig,
  | 'mode'
  | 'run'
  | 'speakers'
  | 'faults'
  | 'images'
  | 'pace'
  | 'maxAge'
  | 'maxFailures'
  | 'retiredModels'
  | 'whyInvalid'
>

/** Whether no option changes a request, its answer or whether the cassette may be replayed. */
export function repliesByPromptAlone(config: Deciding): boolean {
  const { mode, run, speakers, faults, images, pace } = config
  const { maxAge, maxFailures, retiredModels, whyInvalid } = config
  return (
    mode === 'replay' &&
    (run ?? maxAge ?? maxFailures ?? whyInvalid) === undefined &&
    images.match === 'exact' &&
    pace === 'instant' &&
    [speakers, faults, retiredModels].every((list) => list.length === 0)
  )
}
