/** The number of the rules by which this release counts hashes. */
export const RULES = 1
