import { expect, test } from 'vitest'
import { compilePlaces, rowsAt } from '../../src/json/places.ts'

const places = compilePlaces(
  ['id', 'list.*.id', 'list.0.id', 'urls.*', 'list.*'].map(
    (path) => [path.split('.'), path] as const,
  ),
)

test.for([
  [['id'], ['id']],
  [
    ['list', 0, 'id'],
    ['list.0.id', 'list.*.id'],
  ],
  [['list', 7, 'id'], ['list.*.id']],
  [['list', 7], ['list.*']],
  [['urls', 'get'], ['urls.*']],
  [['list'], []],
  [['id', 'id'], []],
  [[], []],
] as Array<[Array<string | number>, string[]]>)('%j is named by %j', ([at, rows]) => {
  expect(rowsAt(places, at)).toEqual(rows)
})
