/** Numbers values by first appearance, those of each kind for themselves: one value is one number, two values are two. */
export class Numbers {
  readonly #kinds: Map<string, Map<string, number>> = new Map()
  readonly #after: (kind: string) => number

  /** @param after the number after which those of a kind begin */
  constructor(after: (kind: string) => number = () => 0) {
    this.#after = after
  }

  of(value: string, kind: string = ''): number {
    let numbers = this.#kinds.get(kind)
    if (!numbers) this.#kinds.set(kind, (numbers = new Map()))
    const number = numbers.get(value) ?? this.#after(kind) + numbers.size + 1
    numbers.set(value, number)
    return number
  }

  /** Whether a value has a number. */
  has(value: string, kind: string = ''): boolean {
    return this.#kinds.get(kind)?.has(value) ?? false
  }

  /** The values of a kind in the order of their numbers. */
  values(kind: string = ''): string[] {
    return [...(this.#kinds.get(kind)?.keys() ?? [])]
  }
}
