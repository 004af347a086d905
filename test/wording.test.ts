import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

/** So many characters of a sentence are one that a better sentence would change. */
const LENGTH = 20

const root = join(import.meta.dirname, '..')

/** What the tests try. */
const NOT_ASSERTED = ['test/{.tmp,projects,upstream,lab/scenarios}/**']

interface Node {
  type: string
  start: number
  value?: unknown
  [key: string]: unknown
}

test('no test pins a sentence of the product: it asks for codes and facts, and texts stand in golden files', () => {
  const sentences = sourcesIn('src').flatMap((file) => nodesOf(file).map(sentenceOf))
  const corpus = new Set(sentences.flatMap(piecesOf))
  const pinned = sourcesIn('test').flatMap((file) => {
    const nodes = nodesOf(file)
    const titles = new Set(nodes.flatMap(titleOf))
    const found = nodes.flatMap((node) =>
      titles.has(node) ? [] : (pinnedIn(literalOf(node), corpus) ?? []),
    )
    return found.length > 0 ? [[file, found] as const] : []
  })
  expect(pinned).toEqual([])
})

function sourcesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root, exclude: NOT_ASSERTED })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
}

/** All nodes of the syntax tree of a file. */
function nodesOf(file: string): Node[] {
  const found: Node[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value) found.push(value as Node)
    for (const inside of Object.values(value)) visit(inside)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }))
  return found
}

/** The title of a test, where a node declares one. */
function titleOf({ type, callee, arguments: given }: Node): Node[] {
  if (type !== 'CallExpression') return []
  let by = callee as Node
  while (by.type === 'MemberExpression' || by.type === 'CallExpression')
    by = (by.object ?? by.callee) as Node
  const isTest = ['test', 'testIf', 'it', 'describe'].includes(by.name as string)
  const [title] = given as Node[]
  return isTest && title ? [title, ...((title.quasis as Node[] | undefined) ?? [])] : []
}

/** The text of a literal, a template or a sum of them; NUL stands for what is put in. */
function sentenceOf(node: Node): string {
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return sentenceOf(node.left as Node) + sentenceOf(node.right as Node)
  if (node.type === 'TemplateLiteral')
    return (node.quasis as Node[]).map((one) => literalOf(one)).join('\0')
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '\0'
}

function literalOf({ type, value, regex }: Node): string {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked
  if (regex) return (regex as { pattern: string }).pattern.replaceAll(/\\(\W)/g, '$1')
  return type === 'Literal' && typeof value === 'string' ? value : ''
}

/** The first piece of a literal that stands in the sources too. A command is a fact. */
function pinnedIn(literal: string, corpus: ReadonlySet<string>): string | undefined {
  const text = literal.replaceAll(/(?:npx |vitest-cassette )[^\n]*/g, '\0')
  return piecesOf(text).find((piece) => corpus.has(piece))
}

/** All pieces of a text that are made of words. */
function piecesOf(text: string): string[] {
  if (!/[a-z] [a-z]/.test(text)) return []
  const pieces = Array.from({ length: Math.max(0, text.length - LENGTH + 1) }, (_, at) =>
    text.slice(at, at + LENGTH),
  )
  return pieces.filter(
    (piece) => /[a-z] [a-z]/.test(piece) && piece.replaceAll(/[^a-z ]/gi, '').length > 16,
  )
}
