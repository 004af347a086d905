import { cassettePath, conversationId } from '../../cassette/disk/path.ts'
import { CassetteReader } from '../../cassette/disk/reader.ts'
import { recognizeCassette } from '../../cassette/format/recognize.ts'
import type { TestPlace } from '../../cassette/disk/test-place.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { mayBeVerbatim, Verbatim } from '../../engine/verbatim.ts'
import { judgeValidity } from '../../validity/judge-validity.ts'
import { factsOf } from '../../validity/recording-facts.ts'
import { fromUser } from './from-user.ts'
import { realTime } from './clock.ts'
import { countAsked, type CassetteMeta } from '../reporters/test-meta.ts'

/**
 * Opens the cassette of a test to be asked its own words; `undefined` where there is none that is valid, or where
 * options want more than to compare.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function openVerbatim(
  place: TestPlace,
  root: string,
  config: ResolvedConfig,
): Verbatim | undefined {
  if (!mayBeVerbatim(config)) return undefined
  const { dir, maxCassetteBytes } = config
  const path = cassettePath(place)
  const cassette = new CassetteReader(root, dir, maxCassetteBytes, recognizeCassette).load(path)
  if (!cassette) return undefined
  const verdicts = judgeValidity(factsOf(cassette), config, realTime())
  return verdicts.every(({ valid }) => valid) ? new Verbatim(cassette) : undefined
}

/** Counts a passed test that asked its cassette word for word. */
export function countVerbatim(
  { asked, cassette }: Verbatim,
  place: TestPlace,
  config: ResolvedConfig,
): CassetteMeta {
  const shown = fromUser(`${config.dir}/${cassettePath(place)}`)
  const test = { id: conversationId(place), cassette: shown }
  const validity = { verdicts: [] }
  return countAsked({ test, asked, misses: [], cassette, config, validity }, true)
}
