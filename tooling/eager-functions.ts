import { RolldownMagicString } from 'rolldown'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/**
 * Code that does the same, of which V8 compiles some functions when it loads it: those in parentheses. All others it
 * reads twice, once to find where they end and once when they first run, and Node's cache of compiled code lacks them.
 *
 * @param code a module of the build
 * @param starts where the functions start that will run
 */
export function withEagerFunctions(code: string, starts: ReadonlySet<number>): string {
  const { program } = parseSync('module.mjs', code)
  const text = new RolldownMagicString(code)
  const methods = new Set<unknown>()
  const templates: ESTree.TemplateElement[] = []

  const enclose = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    if (!starts.has(node.start) || methods.has(node)) return
    text.prependRight(node.start, '(')
    text.appendLeft(node.end, ')')
  }
  new Visitor({
    // Parentheses cannot stand around one.
    MethodDefinition: ({ value }) => void methods.add(value),
    Property: ({ kind, method, value }) => void ((method || kind !== 'init') && methods.add(value)),
    ArrowFunctionExpression: enclose,
    FunctionExpression: enclose,
    TemplateElement: (node) => void templates.push(node),
  }).visit(program)

  const first = program.body.find((node) => !('directive' in node && node.directive))?.start ?? 0
  for (const node of program.body) {
    if (node.type !== 'FunctionDeclaration' || !node.id || !starts.has(node.start)) continue
    const { start, end, id } = node
    const head = code.slice(start, id.start).trimEnd()
    text.overwrite(start, id.end, `var ${id.name} = (${head}`)
    text.appendLeft(end, ');\n')
    // Declared functions are there before any other code runs.
    if (start > first) text.move(start, end, first)
  }
  // As many bytes as that adds, and more.
  for (const { index, 0: tabs } of code.matchAll(/^\t+/gm))
    if (!templates.some(({ start, end }) => start < index && index <= end))
      text.remove(index, index + tabs.length)
  const eager = text.toString()
  const [error] = parseSync('module.mjs', eager).errors
  if (error) throw new Error(`This is no code any more: ${error.codeframe ?? error.message}`)
  return eager
}
