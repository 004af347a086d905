import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { needs } from '../needs.ts'
import { GitProject } from '../tools/git-project.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { PATH, withOtherAnswer } from '../tools/answered.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))
const CLI = `'${process.execPath}' '${BUILT}'`

function read({ root }: GitProject): string {
  return readFileSync(join(root, '__recordings__', PATH), 'utf8')
}

describe('in a terminal', needs('script'), () => {
  test('review shows a group in colours, and a key sends it back to git with a copy', async () => {
    using project = await withOtherAnswer()
    await using terminal = new PseudoTerminal(project.root, `${CLI} review`, project.env)
    await terminal.shows('q quit')
    expect(terminal.output).toContain('\u001b[31m    - ')
    expect(terminal.output).toContain('\u001b[32m    + ')
    terminal.press('r')
    await terminal.ends()
    expect(terminal.output).toMatch(
      /1 cassette rejected\.\r\n.*\r\n {2}node_modules\/\.cache\/.*rejected/,
    )
    expect(read(project)).toContain('one')
  })

  test('w shows a group through the pager, which has the keyboard until it ends', async () => {
    using project = await withOtherAnswer()
    const env = { ...project.env, GIT_PAGER: "sed 's/^/PAGED /'; head -c 1 >/dev/null </dev/tty" }
    await using terminal = new PseudoTerminal(project.root, `${CLI} review; echo ended $?`, env)
    await terminal.shows('q quit')
    terminal.press('w')
    await terminal.shows(/PAGED .*answer 1/)
    // This one is for the pager.
    terminal.press('r\n')
    await terminal.shows(/PAGED[^]*q quit/)
    terminal.press('a')
    await terminal.shows('ended 0')
    expect(terminal.output).toContain('1 cassette accepted.')
    expect(read(project)).toContain('two')
  })

  test('o opens the cassette on a page outside git, and the group is asked for again', async () => {
    using project = await withOtherAnswer()
    const browser = join(project.root, 'node_modules/browser.sh')
    mkdirSync(dirname(browser), { recursive: true })
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${browser}.opened'\n`, { mode: 0o755 })
    const env = { ...project.env, BROWSER: browser }
    await using terminal = new PseudoTerminal(project.root, `${CLI} review; echo ended $?`, env)
    await terminal.shows('q quit')
    terminal.press('o')
    await terminal.shows(/Opened file:[^]*q quit/)
    // The browser runs beside the command, so its file may come later than the words.
    const url = await vi.waitFor(
      () => /file:\S*/.exec(readFileSync(`${browser}.opened`, 'utf8'))![0],
      10_000,
    )
    expect(url).toMatch(/cassette\/review\/index\.html#\/__recordings__\/a\.test\.ts\/asks-/)
    expect(existsSync(fileURLToPath(url.split('#')[0]!))).toBe(true)
    terminal.press('a')
    await terminal.shows('ended 0')
  })

  test.for([
    ['Ctrl-C', '\u0003', 'ended 1'],
    ['an arrow, a wrong key and quit', '\u001b[A', 'ended 1'],
  ] as const)('%s leaves the terminal as it was, and the recording too', async ([, keys, end]) => {
    using project = await withOtherAnswer()
    const before = read(project)
    const line = `stty -g >before.stty; ${CLI} review; echo ended $?; stty -g >after.stty`
    await using terminal = new PseudoTerminal(project.root, line, project.env)
    await terminal.shows('q quit')
    terminal.press(keys)
    if (keys !== '\u0003') {
      await terminal.shows(/q quit[^]*q quit/)
      terminal.press('xq')
    }
    await terminal.shows(end)
    await terminal.ends()
    const state = (name: string): string => readFileSync(join(project.root, name), 'utf8')
    expect(state('after.stty')).toBe(state('before.stty'))
    expect(terminal.output).toMatch(/^1 cassette left/m)
    expect(read(project)).toBe(before)
  })

  test.for([
    ['Ctrl-C', '\u0003', false],
    ['Ctrl-D', '\u0004', false],
    ['Enter alone', '\r', false],
    ['y', 'y\r', true],
  ] as const)('%s answers a question, and no stack is shown', async ([, keys, isYes]) => {
    using project = new GitProject()
    await using terminal = new PseudoTerminal(
      project.root,
      `${CLI} init; echo ended $?`,
      project.env,
    )
    await terminal.shows('[y/N] ')
    terminal.press(keys)
    await terminal.shows(isYes ? 'ended 0' : 'ended 1')
    expect(terminal.output).toMatch(isYes ? /\nWrote / : /\nNothing was written\./)
    expect(terminal.output).not.toContain('    at ')
    expect(existsSync(join(project.root, '.gitattributes'))).toBe(isYes)
  })

  test('diff goes through the pager of git, and past it where it is not wanted or not there', async () => {
    using project = await withOtherAnswer()
    const paged = { ...project.env, GIT_PAGER: "sed 's/^/PAGED /'" }
    const outputOf = async (words: string, env: Record<string, string>): Promise<string> => {
      await using terminal = new PseudoTerminal(project.root, `${CLI} diff ${words}`, env)
      await terminal.ends()
      return terminal.output
    }
    expect(await outputOf('', paged)).toMatch(/^PAGED 1 cassette /m)
    expect(await outputOf('--no-pager', paged)).not.toContain('PAGED')
    const missing = { ...project.env, GIT_PAGER: 'no-such-pager' }
    expect(await outputOf('', missing)).toMatch(/^1 cassette /m)
    const piped = await outputOf('| cat', paged)
    expect(piped).not.toContain('PAGED')
    expect(piped).not.toContain('\u001b[')
  })
})

test('output that a full disk loses is told, without a stack', needs('linux'), () => {
  const run = (line: string) => spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  const lost = run(`${CLI} --help > /dev/full`)
  expect(lost).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^.*: ENOSPC: .*\n$/),
  })
  expect(run(`${CLI} nonsense 2> /dev/full`).status).toBe(2)
  expect(run(`${CLI} --help | head -1`)).toMatchObject({ status: 0, stderr: '' })
})
