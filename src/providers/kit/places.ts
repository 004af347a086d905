/** Rows of a table of places with one role. */
export function places<Role extends string>(
  role: Role,
  ...paths: string[]
): Array<readonly [path: string, role: Role]> {
  return paths.map((path) => [path, role])
}

/** The rows of a table in each of several objects. */
export function placesBelow<Row extends readonly [path: string, ...rest: unknown[]]>(
  owners: readonly string[],
  rows: readonly Row[],
): Row[] {
  return owners.flatMap((owner) =>
    rows.map(([path, ...rest]) => [`${owner}.${path}`, ...rest] as unknown as Row),
  )
}
