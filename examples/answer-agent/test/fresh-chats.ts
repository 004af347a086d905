import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { AnswerAgent } from '../src/answer-agent.ts'

/** A folder for the chats of one test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'answer-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** An agent with chats of its own, and the lines that it logs. */
export function freshAgent(folder: string = freshFolder()): { agent: AnswerAgent; log: string[] } {
  const log: string[] = []
  return { agent: new AnswerAgent({ folder, log: (line) => log.push(line) }), log }
}
