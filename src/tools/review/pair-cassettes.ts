import type { Cassette } from '../../cassette/cassette.ts'
import type { CassettePair, CassetteState } from '../compare/compare-cassettes.ts'

/** Values by which a renamed cassette is recognized, the most certain first. */
const MARKS: ReadonlyArray<(cassette: Cassette) => string | undefined> = [
  ({ exchanges }) =>
    JSON.stringify(exchanges.map(({ prompt, response }) => [prompt, response.text])),
  ({ conversationId }) => conversationId,
  ({ exchanges: [first] }) => first?.prompt.hash,
]

/** Pairs the cassettes of two states by their names, and renamed ones by their content. */
export function pairCassettes(
  before: ReadonlyMap<string, CassetteState>,
  after: ReadonlyMap<string, CassetteState>,
): CassettePair[] {
  const gone = new Map([...before].filter(([name]) => !after.has(name)))
  const fresh = new Map([...after].filter(([name]) => !before.has(name)))
  const was = new Map<string, string>()
  for (const mark of MARKS)
    for (const [name, old] of onlyOnBoth(mark, gone, fresh)) {
      was.set(name, old)
      gone.delete(old)
      fresh.delete(name)
    }
  const pairs = [
    ...[...after].map(([name, state]): CassettePair => {
      const old = was.get(name)
      const known = before.get(old ?? name)
      return {
        name,
        ...(old === undefined ? {} : { was: old }),
        ...(known ? { before: known } : {}),
        after: state,
      }
    }),
    ...[...gone].map(([name, state]): CassettePair => ({ name, before: state })),
  ]
  return pairs.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The names of cassettes with the same mark, if no other cassette on either side has it. */
function onlyOnBoth(
  mark: (cassette: Cassette) => string | undefined,
  gone: ReadonlyMap<string, CassetteState>,
  fresh: ReadonlyMap<string, CassetteState>,
): Array<[name: string, was: string]> {
  const [old, current] = [gone, fresh].map((states) =>
    Map.groupBy(states.keys(), (name) => {
      const { cassette } = states.get(name)!
      return cassette && mark(cassette)
    }),
  ) as [Map<string | undefined, string[]>, Map<string | undefined, string[]>]
  return [...current].flatMap(([shared, names]): Array<[string, string]> => {
    const others = old.get(shared) ?? []
    const isSure = shared !== undefined && names.length === 1 && others.length === 1
    return isSure ? [[names[0]!, others[0]!]] : []
  })
}
