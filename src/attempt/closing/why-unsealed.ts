import { asUnix, isEdited, printCassette } from '../../cassette/format.ts'
import { parseStored } from '../../cassette/reader.ts'
import { isSameButSpace } from '../../json/layout.ts'
import { isCountedHere } from '../../prompt/request-hash.ts'
import type { SlowReason } from '../../replay/slow-reason.ts'

/** Why nothing is replayed by its hash from a file. */
export function reasonOfFile(text: string): SlowReason {
  const stored = parseStored(text)
  const [unix, printed] = [asUnix(text), printCassette(stored)]
  if (stored.seal === undefined) return 'unsealed'
  if (isEdited(stored, text)) return 'edited'
  if (unix !== printed && isSameButSpace(unix, printed)) return 'formatted'
  if (!isCountedHere(stored)) return 'rules'
  if (stored.proposed_params) return 'parameter'
  if (stored.exchanges.some(({ sample }) => sample !== undefined)) return 'sample'
  return stored.invalid ? 'mark' : 'unknown'
}
