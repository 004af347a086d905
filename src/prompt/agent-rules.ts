import type { AgentName, VolatileName } from '../config/volatile-rule.ts'

/** The values that an agent program writes anew into each request. */
interface AgentRules {
  /** The paths of values that the program makes up. */
  paths: readonly string[]
  /** Patterns of values of the machine and the day, with the text around them. */
  patterns: readonly RegExp[]
  names: readonly VolatileName[]
}

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'

/** Temporary folders also occur in the input and the output of its tools. */
const IN_TOOLS = ['tmp-path'] as const

/** The volatile values in the requests of each program, each by the place where the program writes it. */
export const AGENT_RULES: Record<AgentName, AgentRules> = {
  'claude-code': {
    paths: ['$.metadata.user_id'],
    patterns: [
      /(?<=^ ?-? ?(?:Primary w|W)orking directory: )\S.*$/gm,
      /(?<=^ ?-? ?OS Version: )\S.*$/gm,
      /(?<=^Today's date(?: is|:) )\d{4}-\d\d-\d\d(?=\.?$)/gm,
    ],
    names: IN_TOOLS,
  },
  codex: {
    paths: [
      '$.prompt_cache_key',
      ...['session_id', 'thread_id', 'turn_id', 'root_turn_id'].map(
        (id) => `$.client_metadata.${id}`,
      ),
      ...['x-codex-installation-id', 'x-codex-window-id'].map((id) => `$.client_metadata.${id}`),
      '$.input[*].id',
    ],
    patterns: [
      // `x-codex-turn-metadata` is JSON in a text.
      new RegExp(
        `(?<="(?:installation|session|thread|turn|root_turn|window|context_window)_id":")${UUID}(?=[":])`,
        'g',
      ),
      /(?<="turn_started_at_unix_ms":)\d{13}(?=[,}])/g,
      /(?<=<cwd>)[^<\n]+(?=<\/cwd>)/g,
      /(?<=<workspace_roots>.*<root>)[^<\n]+(?=<\/root>)/g,
      /(?<=^- `r\d+` = `)[^`\n]+(?=`$)/gm,
      /(?<=<current_date>)\d{4}-\d\d-\d\d(?=<\/current_date>)/g,
    ],
    names: IN_TOOLS,
  },
}

/** The texts by which the requests of a program are recognised. */
export const AGENT_MARKS: Record<AgentName, RegExp> = {
  'claude-code': /x-anthropic-billing-header|Claude Code|Claude Agent SDK/,
  codex: /"x-codex-[\w-]+":/,
}
