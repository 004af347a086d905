/** What a file has, in its order or, in a run that is REVERSED, the other way round. */
export const inOrder = <Item>(items: Item[]): Item[] =>
  process.env.REVERSED === '1' ? items.toReversed() : items
