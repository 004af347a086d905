import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a function does that looks into a list or an object. */
const LOOKS_INSIDE =
  /isContainer|isJsonObject|isObject|Array\.isArray|Object\.(?:entries|values|keys|fromEntries)|for \(const \w+ in /

/** The functions that may call themselves for what is inside of a value, each with the reason. */
const MAY: Record<string, string> = {
  'text/holds-text.ts holdsText': 'every replay asks it, and loads no more',
  'secrets/redactor.ts holdsAcross': 'JSON in a text of JSON',
  'secrets/veil.ts #learn': 'JSON in a text of JSON',
  'secrets/notes/hide-in-report.ts walk': 'errors, maps and objects that hold themselves',
  'cassette/format/references.ts requestBody': 'leads from exchange to exchange',
  'cassette/format/references.ts #overlay': 'leads from exchange to exchange',
  'cassette/format/references.ts #resolveOne': 'leads from exchange to exchange',
  'cassette/format/references.ts #items': 'leads from exchange to exchange',
  'cassette/format/references.ts #range': 'leads from exchange to exchange',
  'transports/route-page.ts askDirectly': 'follows redirects',
  'runners/vitest/setup/runtime.ts setUpFile': 'a name of two functions',
  'runners/other/node-test.ts wrap': 'a name of two functions',
  'conversation/params.ts read': 'a name of two functions',
  'config/schema/check-redact.ts faultOfRedactRule': 'rules, which are no JSON',
  'conversation/cost/list-prices.ts textsIn': 'rules of a package, which are no JSON',
  'config/check-options.ts copyOf': 'options, which are no JSON',
}

/** A named function of a file, and the names that it uses. */
interface Named {
  name: string
  text: string
  uses: Set<string>
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

test('only json/walk.ts recurses over JSON, but for the tools', () => {
  const found = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => file !== 'src/json/walk.ts' && !file.startsWith('src/tools/'))
    .flatMap((file) =>
      recursiveIn(readFileSync(join(root, file), 'utf8'))
        .filter(({ text }) => LOOKS_INSIDE.test(text))
        .map(({ name }) => `${file.slice('src/'.length)} ${name}`),
    )
  const allowed = Object.keys(MAY)
  expect([...new Set(found)].filter((one) => !allowed.includes(one))).toEqual([])
  expect(allowed.filter((one) => !found.includes(one))).toEqual([])
})

test('a function that calls itself, or through another one, is found', () => {
  const source = `
    function itself(value) { return Object.values(value).map(itself) }
    const one = (value) => other(value)
    function other(value) { return one(value) }
    class Owner { #own(value) { return this.#own(value) } }
    function not(value) { return [...value].map(other) }
  `
  expect(recursiveIn(source).map(({ name }) => name)).toEqual(['itself', 'one', 'other', '#own'])
})

function recursiveIn(source: string): Named[] {
  const functions: Named[] = []
  visit(parseSync('source.ts', source).program as unknown as Node, undefined, undefined)
  const byName = Map.groupBy(functions, ({ name }) => name)
  return functions.filter((one) => {
    const seen = new Set<string>()
    const left = [...one.uses]
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (name === one.name) return true
      if (seen.has(name)) continue
      seen.add(name)
      for (const next of byName.get(name) ?? []) left.push(...next.uses)
    }
    return false
  })

  function visit(node: Node, parent: Node | undefined, owner: Named | undefined): void {
    const name = nameOf(node, parent)
    const own = name === undefined ? owner : { name, text: textOf(node), uses: new Set<string>() }
    if (own && own !== owner) functions.push(own)
    const used = usedName(node, parent)
    if (used !== undefined) owner?.uses.add(used)
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType') continue
      for (const child of [inner].flat())
        if (typeof child === 'object' && child !== null && 'type' in child)
          visit(child as Node, node, own)
    }
  }

  function textOf({ start, end }: Node): string {
    return source.slice(start, end)
  }
}

function nameOf(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'FunctionDeclaration') return (node.id as Node | null)?.name as string
  if (!['ArrowFunctionExpression', 'FunctionExpression'].includes(node.type)) return undefined
  if (parent?.type === 'VariableDeclarator') return (parent.id as Node).name as string
  const isMember = ['MethodDefinition', 'PropertyDefinition', 'Property'].includes(
    parent?.type ?? '',
  )
  return isMember ? keyOf(parent!.key as Node) : undefined
}

/** A name that is read, as a variable or as a member of the object itself. */
function usedName(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'MemberExpression')
    return (node.object as Node).type === 'ThisExpression'
      ? keyOf(node.property as Node)
      : undefined
  if (node.type !== 'Identifier' || parent?.id === node) return undefined
  const isKey =
    (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
    (parent?.type === 'Property' && parent.key === node && parent.value !== node)
  return isKey ? undefined : (node.name as string)
}

function keyOf({ type, name }: Node): string {
  return type === 'PrivateIdentifier' ? `#${String(name)}` : String(name)
}
