/** How many requests were answered from where: `2 replayed, 1 recorded`. */
export function describeAnswers(sources: readonly string[]): string {
  const counts = Map.groupBy(sources, (source) => source)
  const texts = Array.from(counts, ([source, all]) => `${all.length} ${source}`)
  return texts.join(', ') || 'no request was answered'
}
