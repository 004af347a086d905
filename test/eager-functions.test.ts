import { expect, test } from 'vitest'
import { withEagerFunctions } from '../tooling/eager-functions.ts'

/** The code with all functions eager that have a mark before them. */
function eager(marked: string): string {
  const starts = new Set<number>()
  const [first = '', ...parts] = marked.split('¶')
  let code = first
  for (const part of parts) {
    starts.add(code.length)
    code += part
  }
  return withEagerFunctions(code, starts)
}

/** What a module exports. */
function exportsOf(code: string): Promise<Record<string, any>> {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
}

test('functions that run stand in parentheses, and others as they were', () => {
  expect(eager('const a = ¶(x) => x, b = ¶function () {}, c = (x) => x')).toBe(
    'const a = ((x) => x), b = (function () {}), c = (x) => x',
  )
})

test.each(['function', 'async function'])(
  'a declared %s is there before all other code, by its name',
  async (kind) => {
    const marked = `export const early = one\nexport const é = one()\n¶${kind} one() { return 1 }\nexport { one }`
    const code = eager(marked)
    expect(code).toMatch(new RegExp(`^var one = \\(${kind}\\(\\)`))
    const { early, one, é } = await exportsOf(code)
    expect(early).toBe(one)
    expect(one.name).toBe('one')
    expect(await é).toBe(1)
  },
)

test('a generator is there before all other code, and so is a function that calls itself', async () => {
  const code = eager(
    '¶function* count() { yield* [1, 2] }\n¶function down(n) { return n && down(n - 1) }\nexport { count, down }',
  )
  const { count, down } = await exportsOf(code)
  expect([...count()]).toEqual([1, 2])
  expect(down(3)).toBe(0)
})

test('a directive stays the first of all', () => {
  expect(eager("'use strict'\nconst a = one\n¶function one() {}")).toMatch(
    /^'use strict'\nvar one = \(function\(\) \{\}\);\nconst a/,
  )
})

test('methods, and functions that are exported where they are declared, stay', () => {
  const code = [
    'class A { ¶one() {} static ¶two() {} get ¶three() { return 3 } constructor¶() {} }',
    'const b = { ¶four() {}, get ¶five() { return 5 } }',
    'export ¶function six() {}',
  ].join('\n')
  expect(eager(code)).toBe(code.replaceAll('¶', ''))
})

test('functions in functions are eager by themselves, also where a line begins with one', async () => {
  const code = eager(
    '¶function outer(list) {\n\treturn list\n\t\t.map(\n\t\t\t¶(x) => x + 1\n\t\t)\n\t\t.map((x) => x)\n}\nexport { outer }',
  )
  expect(code).toContain('\n((x) => x + 1)\n)\n.map((x) => x)')
  expect((await exportsOf(code)).outer([1])).toEqual([2])
})

test('lines lose their indentation, and texts do not', async () => {
  const code = eager('¶function two() {\n\treturn `a\n\tb${\n\t1\n\t}\n\tc\n`\n}\nexport { two }')
  expect(code).toContain('\nreturn `a\n\tb${\n1\n}\n\tc\n`')
  expect((await exportsOf(code)).two()).toBe('a\n\tb1\n\tc\n')
})
