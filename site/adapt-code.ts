import { languageOf } from '../tooling/code-blocks.ts'
import type { Markdown } from './markdown.ts'

/** Words of this many characters are wrapped where they would widen a table. */
const LONG = 24

/**
 * Code as the site shows it: indented blocks like those between fences, long words wrapped, others whole at their
 * hyphens, and none of it read by Vue.
 */
export function adaptCode(md: Markdown): void {
  md.core.ruler.push('adapt-code', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'code_block')
        Object.assign(token, { type: 'fence', tag: 'code', info: languageOf(token.content) })
      for (const child of token.children ?? [])
        if (child.type === 'code_inline') {
          child.attrSet('v-pre', '')
          if (child.content.split(/\s/).some((word) => word.length >= LONG))
            child.attrSet('class', 'long')
        }
    }
  })
  const { rules } = md.renderer
  const shown = rules.code_inline!
  rules.code_inline = (...args) =>
    shown(...args).replace(/(?<=>)[^<]+/, (text) =>
      text.replaceAll(/[^\s&;]*-[^\s&;]*/g, (word) =>
        word.length < LONG ? `<span class="whole">${word}</span>` : word,
      ),
    )
}
