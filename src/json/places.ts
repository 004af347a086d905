import type { JsonPlace } from './walk.ts'

/** Places in a value, as a tree of the keys that lead to them, with the rows of a table that name each place. */
export interface Places<Row> {
  fields: Map<string, Places<Row>>
  /** The places below any key or position. */
  any?: Places<Row>
  rows: Row[]
}

/** Compiles a table of places, each by its keys; `*` is any key or position. */
export function compilePlaces<Row>(
  table: Iterable<readonly [keys: readonly string[], row: Row]>,
): Places<Row> {
  const top: Places<Row> = { fields: new Map(), rows: [] }
  for (const [keys, row] of table) {
    let place = top
    for (const key of keys) {
      const known: Places<Row> = (key === '*' ? place.any : place.fields.get(key)) ?? {
        fields: new Map(),
        rows: [],
      }
      if (key === '*') place.any = known
      else place.fields.set(key, known)
      place = known
    }
    place.rows.push(row)
  }
  return top
}

/** The rows that name a place. */
export function rowsAt<Row>(places: Places<Row>, at: JsonPlace): Row[] {
  let here = [places]
  for (const key of at) {
    const below: Array<Places<Row>> = []
    for (const { fields, any } of here) {
      const known = fields.get(String(key))
      if (known) below.push(known)
      if (any) below.push(any)
    }
    if (below.length === 0) return []
    here = below
  }
  return here.flatMap(({ rows }) => rows)
}
