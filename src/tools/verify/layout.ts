import { join } from 'node:path'
import { isRecorded } from '../../cassette/cassette.ts'
import { asUnix, printCassette } from '../../cassette/format.ts'
import { ifReadable, type OpenedCassette } from '../../cassette/reader.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { writeAtomically } from '../../cassette/write-file.ts'
import { isSameButSpace } from '../../json/layout.ts'

/** Prints recordings anew of which nothing but the layout was changed, such as by a formatter. Returns how many. */
export async function fixLayouts(
  store: CassetteStore,
  root: string,
  isMeant: (path: string) => boolean,
): Promise<number> {
  let count = 0
  for (const path of store.list().filter(isMeant)) {
    const opened = ifReadable(() => store.open(path))
    const printed = opened && printedAnew(opened)
    if (printed === undefined) continue
    await writeAtomically(join(root, store.pathFrom(root, path)), printed)
    count++
  }
  return count
}

/** Hand-written exchanges are laid out as their author likes it. */
function printedAnew({ text, stored, cassette }: OpenedCassette): string | undefined {
  if (!cassette.exchanges.every(isRecorded)) return undefined
  const printed = printCassette(stored)
  const isSame = text !== printed && isSameButSpace(asUnix(text), printed)
  return isSame ? printed : undefined
}
