/** The number of the rules by which this release counts the hashes of requests. */
export const RULES = 1

/** Whether the hashes of the requests of a file were counted by the rules of this release. */
export function isCountedHere({ rules }: { rules?: ReadonlyArray<number | string> }): boolean {
  return rules?.length === 1 && rules[0] === RULES
}

/** The canonical, the raw and the response hash of an exchange of a file. Each may be unknown or empty. */
export function hashesAt(
  { hashes }: { hashes?: readonly string[] },
  index: number,
): Array<string | undefined> {
  return hashes?.[index]?.split('.') ?? []
}
