import type { TestPlace } from '../../cassette/test-place.ts'
/** Titles may contain the separator. With this many pieces or more, only one split is tried. */
const MAX_PIECES = 10

/** The tests that a name can mean. */
export function testPlacesOf(id: string): TestPlace[] {
  const [, name, count] = /^(.*) #(\d+)$/s.exec(id) ?? []
  return [
    ...placesNamed(id, 0),
    ...(name === undefined ? [] : placesNamed(name, Number(count) - 1)),
  ]
}

function placesNamed(name: string, ordinal: number): TestPlace[] {
  return splitsOf(name).map(([file, ...titles]) => ({ file: file!, titles, ordinal }))
}

/** All ways to split a name into a file and titles. */
function splitsOf(name: string): string[][] {
  const [first, ...rest] = name.split(' > ')
  if (rest.length >= MAX_PIECES) return [[first!, ...rest]]
  return rest.reduce<string[][]>(
    (splits, piece) => [
      ...splits.map((split) => [...split, piece]),
      ...splits.map((split) => [...split.slice(0, -1), `${split.at(-1)} > ${piece}`]),
    ],
    [[first!]],
  )
}
