import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'

/** The code in a section of docs/conversations.md. */
function codeOf(section: string): string {
  const page = readFileSync('docs/conversations.md', 'utf8')
  const [, text] = page.split(`\n## ${section}\n`)
  return /```\w*\n([^]*?)\n```/.exec(text!)![1]!
}

test('the history of the page is taken in, and comes out again', async () => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'talk.json'), codeOf('The history file'))
  const { code } = await project.run('import', 'talk.json', '--test', 'a.test.ts > greets')
  expect(code).toBe(0)
  const { out } = await project.run('show', 'greets', '--format', 'history')
  const { exchanges } = JSON.parse(codeOf('The history file')) as {
    exchanges: Array<{ prompt: object; response: object }>
  }
  const hash = expect.stringMatching(/^sha256-[0-9a-f]{64}$/) as string
  expect(JSON.parse(out)).toMatchObject({
    exchanges: exchanges.map(({ prompt, ...exchange }) => {
      return { ...exchange, prompt: { ...prompt, hash } }
    }),
  })
})

test('the context of the page is shown as the page shows it', async () => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'orders.json'), codeOf('The context'))
  const { code, out } = await project.run('show', 'orders.json')
  expect(out).toContain(`\n\n${codeOf('The transcript')}\n`)
  expect(code).toBe(0)
})
