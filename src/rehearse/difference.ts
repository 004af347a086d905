/** The kinds of differences in behaviour. */
export type DifferenceKind =
  | 'tool'
  | 'argument'
  | 'finish'
  | 'refusal'
  | 'schema'
  | 'shape'
  | 'empty'
  | 'cut'
  /** The function of the user rejects the answer. */
  | 'judge'

/** One difference in the behaviour of an answer. */
export interface Difference {
  kind: DifferenceKind
  says: string
}
