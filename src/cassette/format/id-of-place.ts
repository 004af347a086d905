/** The id of an exchange without an id of its own. */
export function idOfPlace(index: number): string {
  return `exchange-${index + 1}`
}
