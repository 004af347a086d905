import type { Cassette } from '../../cassette/cassette.ts'
import { type CassetteStore, describeRaw, type MergeCassettes } from '../../cassette/store.ts'
import type { Terminal } from '../terminal/command.ts'

/** Writes a cassette, and warns of the exchanges that are stored as raw bytes. */
export async function saveCassette(
  { store, path }: { store: CassetteStore; path: string },
  cassette: Cassette,
  { warn }: Pick<Terminal, 'warn'>,
  merge?: MergeCassettes,
): Promise<void> {
  const { raw } = await store.save(path, cassette, merge)
  const told = describeRaw(store.display(path), raw)
  if (told !== undefined) warn(told)
}
