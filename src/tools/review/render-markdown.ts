import { countOf } from '../../text/count-of.ts'
import { codeInHtml, fence, inline } from '../../text/markdown-text.ts'
import { contentRows } from '../../diff/render-changes.ts'
import { textOfSpans, type Row } from '../../diff/row.ts'
import { writeOutUnseen } from '../../text/printable.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'
import {
  describeAll,
  describeCassettes,
  describeGroup,
  describeKept,
  describeTook,
  type Group,
  nameOf,
  shownChanges,
} from './groups.ts'

/** GitHub takes no comment that is longer than 65,536 characters. */
const MAX_LENGTH = 60_000

const ROWS = 40
const WIDTH = 160
const NAMES = 20

/** Groups whose diff is unfolded. */
const OPEN = 5

const SIGNS: Partial<Record<Row['kind'], string>> = { removed: '-', added: '+' }

/** Renders the changes for the comment of a pull request and the summary of a job. */
export function renderMarkdown(
  comparisons: readonly CassetteComparison[],
  groups: readonly Group[],
  unread: ReadonlyArray<{ name: string; problem: string }>,
  base: string,
): string {
  const took = describeTook(comparisons)
  const head = [
    '### Cassettes',
    // The name of a branch may contain Markdown.
    describeAll(comparisons, groups, `\`${inline(base)}\``, unread.length) +
      (took ? ` ${took}` : ''),
    ...(unread.length > 0 ? [renderUnread(unread)] : []),
  ].join('\n\n')
  let text = head
  for (const [index, group] of groups.entries()) {
    const block = renderGroup(group, index < OPEN)
    if (text.length + block.length > MAX_LENGTH) {
      const rest = groups.length - index
      return `${text}\n\n… and ${countOf(rest, 'more change')}, for which there is no room here: \`npx vitest-cassette diff\`\n`
    }
    text += `\n\n${block}`
  }
  return `${text}\n`
}

function renderGroup(group: Group, isOpen: boolean): string {
  const { cassettes } = group
  const where = codeInHtml(describeGroup(group).join(' · '))
  const rows = rowsOf(group)
  const kept = describeKept(group)
  return [
    `<details${isOpen ? ' open' : ''}><summary><b>${describeCassettes(cassettes)}</b>: ${where}</summary>`,
    ...(rows.length > 0 ? [fence(rows.join('\n'), 'diff')] : []),
    ...(kept ? [kept] : []),
    renderNames(cassettes),
    '</details>',
  ].join('\n\n')
}

function renderNames(cassettes: readonly CassetteComparison[]): string {
  const listed = cassettes.slice(0, NAMES).map((one) => `- \`${inline(nameOf(one))}\``)
  const others = cassettes.length - listed.length
  if (others > 0) listed.push(`- … and ${countOf(others, 'more cassette')}`)
  if (cassettes.length <= 3) return listed.join('\n')
  return `<details><summary>${describeCassettes(cassettes)}</summary>\n\n${listed.join('\n')}\n\n</details>`
}

function rowsOf(group: Group): string[] {
  const room = { width: WIDTH, rows: ROWS, brackets: true }
  const rows = shownChanges(group).flatMap((change) => contentRows(change, room))
  return rows.map(({ kind, spans }) =>
    `${SIGNS[kind] ?? ' '} ${writeOutUnseen(textOfSpans(spans))}`.trimEnd(),
  )
}

function renderUnread(unread: ReadonlyArray<{ name: string; problem: string }>): string {
  const lines = unread.map(({ name, problem }) => `- \`${inline(name)}\`: \`${inline(problem)}\``)
  return `${countOf(unread.length, 'cassette cannot be read, and is', 'cassettes cannot be read, and are')} not compared:\n\n${lines.join('\n')}`
}
