/** A number with its noun, and with a verb where both are given: `1 line`, `1,204 lines`, `2 lines are`. */
export function countOf(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : nouns}`
}
