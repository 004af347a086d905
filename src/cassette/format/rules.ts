/** The number of the rules by which this release counts the hashes of requests. */
export const RULES = 1

/** Whether the hashes of the requests of a file were counted by the rules of this release. */
export function isCountedHere({ rules }: { rules?: ReadonlyArray<number | string> }): boolean {
  return rules?.length === 1 && rules[0] === RULES
}
