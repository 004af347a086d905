import type { MergeCassettes } from '../cassette/store.ts'
import type { Session } from '../engine/session.ts'
import { loadMerge } from './smallest-diff/load-merge.ts'

/**
 * Keeps unchanged parts of the old cassette, except for the mark of an invalid one and the dates of a renewed one.
 * Nothing of it loads where there is no old cassette.
 */
export function mergerOf(
  { config }: Session,
  renews: boolean,
  partial: boolean = false,
): MergeCassettes {
  if (config.allBytes) return (old, fresh) => loadMerge().keepParts(old, fresh)
  const { mode, maxAge, volatile, unordered } = config
  const renewsAge = renews || (maxAge !== undefined && mode === 'all' && !partial)
  return (old, fresh) =>
    loadMerge().keepUnchanged({ volatile, renews, renewsAge, unordered })(old, fresh)
}
