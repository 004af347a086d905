/** The parts of a streamed answer by their number, each as received so far. */
export class Drafts<Draft> extends Map<number, Draft> {
  /** The draft of a number, which is made if nothing of it was received yet. */
  at(index: number, make: () => Draft): Draft {
    const draft = this.get(index) ?? make()
    this.set(index, draft)
    return draft
  }

  /** The drafts in the order of their numbers, in whatever order they were begun. */
  inOrder(): Draft[] {
    return [...this].sort(([one], [other]) => one - other).map(([, draft]) => draft)
  }
}
