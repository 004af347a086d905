import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'rolldown'

/** The sources of the schemas whose types users read. */
const SCHEMAS = ['options.ts', 'parse-options.ts'].map((file) =>
  readFileSync(resolve(import.meta.dirname, '../src/config', file), 'utf8'),
)

/** Writes the interfaces out that the sources infer from a schema, with the comments of the schema. */
export const writtenTypes: Plugin = {
  name: 'written-types',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = writeTypes(chunk.code, SCHEMAS)
  },
}

/**
 * Writes each interface out that extends what a function returns. TypeScript writes the type of the function without
 * the comments of its properties.
 *
 * @param code declarations, as TypeScript makes them
 * @param schemas the sources of the functions
 * @throws Error for a property without a comment
 */
export function writeTypes(code: string, schemas: readonly string[]): string {
  const inferred = /^((?:export )?interface \w+ )extends ReturnType<typeof (\w+)> \{/gm
  return Array.from(code.matchAll(inferred)).reduce((written, [all, head, maker]) => {
    const made = new RegExp(`^declare const ${maker}: \\(.*\\) => \\{\n(.+?)^\\};\n`, 'ms')
    const comments = commentsIn(schemas.find((source) => source.includes(`const ${maker} = `))!)
    const body = made.exec(written)![1]!.replaceAll(/^( *)(\w+)\??: /gm, (start, indent, name) => {
      const comment = comments.get(name)?.replaceAll(/^/gm, indent)
      if (comment === undefined && indent === '  ') throw new Error(`${name} has no comment.`)
      return comment === undefined ? start : `${comment}\n${start}`
    })
    return written.replace(made, '').replace(all, () => `${head}{\n${body}`)
  }, code)
}

/** The comments of the properties of objects, by the names of the properties. */
function commentsIn(source: string): Map<string, string> {
  const found = source.matchAll(/^ *(\/\*\*(?:(?!\*\/).)*\*\/)\n *(\w+): /gms)
  return new Map(
    Array.from(found, ([, comment, name]) => [name!, comment!.replaceAll(/^ +\*/gm, ' *')]),
  )
}
