import type { HostileEdit } from './hostile-edit.ts'
import { HOSTILE_CONTENT } from './hostile-content.ts'
import { HOSTILE_STRUCTURE } from './hostile-structure.ts'

/** Every edit, in the order of the table. */
export const HOSTILE_EDITS: readonly HostileEdit[] = [...HOSTILE_CONTENT, ...HOSTILE_STRUCTURE]
