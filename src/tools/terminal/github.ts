import { appendNote } from '../../secrets/notes.ts'
import type { Terminal } from './command.ts'

/** True in a job of GitHub Actions. */
export function isGitHub({ env }: Terminal): boolean {
  return env.GITHUB_ACTIONS === 'true'
}

/** Adds Markdown to the summary of the job, in a job of GitHub Actions. */
export function addToSummary(markdown: () => string, terminal: Terminal): void {
  const file = terminal.env.GITHUB_STEP_SUMMARY
  if (file && isGitHub(terminal)) appendNote(file, markdown(), terminal.env)
}
