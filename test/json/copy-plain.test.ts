import { expect, test } from 'vitest'
import { copyPlain } from '../../src/json/copy-plain.ts'
import { parseJson } from '../../src/json/json-value.ts'

test('numbers that keep their spelling become plain numbers, everywhere', () => {
  const value = parseJson(
    '{"price": 1.50, "list": [1e3, {"deep": -0.0}], "text": "1.0", "no": null}',
  )
  expect(copyPlain(value)).toEqual({
    price: 1.5,
    list: [1000, { deep: -0 }],
    text: '1.0',
    no: null,
  })
})

test('nothing of the copy is shared with what was copied', () => {
  const value = { list: [{ a: 1 }] }
  const copy = copyPlain(value)
  copy.list[0]!.a = 2
  expect(value.list[0]!.a).toBe(1)
})
