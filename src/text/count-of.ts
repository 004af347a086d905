/** A number with its noun, and with a verb where both are given: `1 line`, `1,204 lines`, `2 lines are`. */
export function countOf(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`
}

/** An integer with a comma at each thousand. Not by `toLocaleString`, whose first call loads a locale for 10 ms. */
function grouped(count: number): string {
  return String(count).replaceAll(/\d(?=(?:\d{3})+$)/g, '$&,')
}
