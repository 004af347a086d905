/** A number with its noun: `1 line`, `12 lines`, `1,204 lines`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
