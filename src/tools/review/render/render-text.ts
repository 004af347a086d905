import type { Colors } from 'picocolors/types.js'
import { countOf } from '../../../text/count-of.ts'
import { PREFIX_WIDTH } from '../../../diff/row.ts'
import { layOutLine } from '../../../text/printable.ts'
import { contentRows, paintRows } from '../../../diff/render-changes.ts'
import type { Group } from '../group-changes.ts'
import { renderBeside } from './side-by-side.ts'
import { describeCassettes, describeGroup, describeKept, nameOf } from './describe-group.ts'

/** Options for rendering groups in a terminal. */
export interface TextOptions {
  width: number
  colors: Colors
  /** Rows of one change. @default 20 */
  rows?: number
  /** Names of cassettes. @default 3 */
  names?: number
  /** Renders before and after side by side if there is room. */
  beside?: boolean
}

/** Renders a group: its cassettes, its place, and the content before and after. */
export function renderGroup(group: Group, options: TextOptions): string {
  const { width, colors, rows = 20, names = 3 } = options
  const { cassettes } = group
  const where = describeGroup(group).join(' · ')
  const listed = cassettes.slice(0, names).map((one) => `  ${layOutLine(nameOf(one))}`)
  const others = cassettes.length - listed.length
  const kept = describeKept(group)
  return [
    `${colors.bold(describeCassettes(cassettes))}  ${colors.cyan(where)}`,
    ...bodiesOf(group, { ...options, rows }),
    ...(kept ? [colors.yellow(`  ${kept}`)] : []),
    ...listed.map((line) => colors.dim(line)),
    ...(others > 0 ? [colors.dim(`  … and ${countOf(others, 'more cassette')}`)] : []),
  ].join('\n')

  function bodiesOf({ changes }: Group, { rows: most }: { rows: number }): string[] {
    const room = { width: width - PREFIX_WIDTH, brackets: !colors.isColorSupported, rows: most }
    return changes.flatMap((change) => {
      // The content of several whole cassettes is not shown, because the group has only that of the first.
      if (change.place.of === 'cassette' && !change.place.inside && cassettes.length > 1) return []
      if (change.kind === 'renamed') return []
      const sides = options.beside ? renderBeside(change, { width, colors, rows: most }) : undefined
      if (sides) return sides
      const found = contentRows(change, room)
      return found.length > 0 ? [paintRows(found, colors.isColorSupported, width)] : []
    })
  }
}
