import * as described from '../../src/diff/describe-change.ts'
import type { PromptChange, SafeChange } from '../../src/diff/prompt-change.ts'
import * as rendered from '../../src/diff/render-changes.ts'

// Changes of tests hold no secrets: only a veil makes those that are shown.

export function renderChanges(
  changes: readonly PromptChange[],
  options: rendered.RenderOptions,
): string {
  return rendered.renderChanges(changes as readonly SafeChange[], options)
}

export function summarizeChanges(changes: readonly PromptChange[]): string {
  return described.summarizeChanges(changes as readonly SafeChange[])
}

export function summarizeChange(change: PromptChange): string {
  return described.summarizeChange(change as SafeChange)
}
