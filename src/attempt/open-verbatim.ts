import { CassetteReader, recognizeCassette } from '../cassette/reader.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { Verbatim } from '../engine/verbatim.ts'
import { inRealWorld } from '../real/real-world.ts'
import type { Owner } from './owner.ts'

/**
 * Opens the cassette of an attempt to replay it word for word; `undefined` where a session has to read it: for options
 * that decide about more than the prompt, and for a cassette that is missing or broken.
 */
export function openVerbatim(owner: Owner, config: ResolvedConfig): Verbatim | undefined {
  if (!repliesByPromptAlone(config)) return undefined
  const { dir, maxCassetteBytes, followLinks } = config
  try {
    const reader = new CassetteReader(
      owner.root,
      dir,
      maxCassetteBytes,
      recognizeCassette,
      followLinks,
    )
    const cassette = inRealWorld(() => reader.loadWhenAsked(owner.path(dir)))
    return cassette && new Verbatim(cassette)
  } catch {
    // The session says what is wrong with it.
    return undefined
  }
}

/** Whether no option changes a request, its answer or whether the cassette may be replayed. */
function repliesByPromptAlone(config: ResolvedConfig): boolean {
  const { mode, run, redact, speakers, faults, images, pace } = config
  const { maxAge, maxFailures, retiredModels, whyInvalid } = config
  return (
    mode === 'replay' &&
    (run ?? maxAge ?? maxFailures ?? whyInvalid) === undefined &&
    images.match === 'exact' &&
    pace === 'instant' &&
    [redact, speakers, faults, retiredModels].every((list) => list.length === 0)
  )
}
