/** One difference in the behaviour of an answer. */
export interface BehaviourDifference {
  /** `judge`: the function of the user rejects the answer. */
  kind: 'tool' | 'argument' | 'finish' | 'refusal' | 'schema' | 'shape' | 'empty' | 'cut' | 'judge'
  says: string
}
