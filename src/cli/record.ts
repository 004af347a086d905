import type { Command } from './command.ts'
import { showVitest } from './run-vitest.ts'

/** The modes that record, by the option that chooses one. */
const MODES: Record<string, string> = { '--new': 'new', '--prompts': 'prompts' }

/** Records where a shell has no way to set a variable for one command alone. */
export const record: Command = {
  name: 'record',
  usage: '[--new | --prompts] [what vitest run takes]',
  summary: 'run tests and record their answers, as RECORD=1 npx vitest run does; in every shell',
  options: {},
  takesAll: true,
  explains: {
    new: 'record what is missing, as RECORD=new does',
    prompts: 'keep the answers of prompts that changed in place, as RECORD=prompts does',
  },
  async run(words, _, terminal) {
    const chosen = words.find((word) => word in MODES)
    const others = words.filter((word) => !(word in MODES) && word !== '--')
    const RECORD = chosen === undefined ? '1' : MODES[chosen]!
    return (await showVitest(terminal, others, { RECORD })) === 0 ? 0 : 1
  },
}
