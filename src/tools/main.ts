#!/usr/bin/env node
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import pc from 'picocolors'
import { isForced } from '../config/has-colors.ts'
import { explainOldNode } from '../config/old-node.ts'
import { Git } from './programs/git.ts'
import { showInPager } from './programs/pager.ts'
import { TerminalKeys } from './terminal/terminal-keys.ts'
import { Progress } from './terminal/progress.ts'
import { runCommand } from './commands.ts'

const problem = explainOldNode()
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

const { stdin, stdout, stderr, env } = process
// Colours are for people at a terminal.
const isTerminal = stdout.isTTY && env.TERM !== 'dumb'
const hasColors = !env.NO_COLOR && (env.FORCE_COLOR === undefined ? isTerminal : isForced(env))

/** Whether a part of the output is lost, as on a full disk. What the command does goes on nevertheless. */
let isLost = false

stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (error.code === 'EPIPE' || isLost) return
  isLost = true
  stderr.write(`The output could not be written: ${error.message}\n`)
})
stderr.on('error', () => {})
process.on('exit', (code) => {
  if (isLost && code === 0) process.exitCode = 1
})

const progress = new Progress({
  isLive: stderr.isTTY === true && env.TERM !== 'dumb',
  columns: stderr.columns,
  write: (text) => void stderr.write(text),
})

async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout })
  // Ctrl-C and Ctrl-D close it. Whether they settle the question too depends on the version of Node.
  const closed = once(lines, 'close').then(() => undefined)
  const asked = lines.question(`${question} [y/N] `)
  const answer = await Promise.race([closed, asked]).catch(() => undefined)
  if (answer === undefined) stdout.write('\n')
  lines.close()
  return answer !== undefined && /^y(es)?$/i.test(answer.trim())
}

/** Shows a text in the pager that git would use. */
async function page(text: string): Promise<void> {
  const pager = new Git(process.cwd()).try(['var', 'GIT_PAGER'])?.trim()
  if (!(await showInPager(text, pager, env))) stdout.write(text)
}

process.exitCode = await runCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  enter: (folder) => process.chdir(folder),
  env,
  columns: stdout.isTTY ? stdout.columns : undefined,
  colors: pc.createColors(hasColors),
  // A terminal shows both streams, so the progress line goes before other output comes.
  write: (text) => {
    progress.clear()
    stdout.write(text)
  },
  warn: (text) => {
    progress.clear()
    stderr.write(`${text}\n`)
  },
  progress,
  ...(stdout.isTTY && env.TERM !== 'dumb' ? { page } : {}),
  ...(stdin.isTTY && stdout.isTTY ? { confirm, openKeys: () => new TerminalKeys(stdin) } : {}),
})
