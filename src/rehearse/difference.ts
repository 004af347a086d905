/** In what an answer behaves otherwise. */
export type DifferenceKind =
  | 'tool'
  | 'argument'
  | 'finish'
  | 'refusal'
  | 'schema'
  | 'shape'
  | 'empty'
  | 'cut'
  /** A function of the user's says so. */
  | 'judge'

/** One thing in which an answer behaves otherwise, in words. */
export interface Difference {
  kind: DifferenceKind
  says: string
}
