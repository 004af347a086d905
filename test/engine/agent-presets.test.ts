import { expect, test } from 'vitest'
import type { AgentName, VolatileRule } from '../../src/config/volatile-rule.ts'
import { suggestRules } from '../../src/features/suggest.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { openExample, recorded } from './example-session.ts'

const ID = '01a206a7-f683-7a93-9521-28ea83ff2715'
const TURN = '01a206a7-f87a-7893-8d41-1f71b00a9795'
const DEVICE = 'c1f9941f64ec36c502af36c16e23beb1ea14609f578bc659e717fbd58552833f'

/** As both programs ask today, shortened. */
const REQUESTS: Record<AgentName, { url: string; body: JsonObject }> = {
  'claude-code': {
    url: 'https://api.anthropic.com/v1/messages?beta=true',
    body: {
      model: 'claude-opus-5-5',
      max_tokens: 128_000,
      stream: true,
      metadata: {
        user_id: JSON.stringify({ device_id: DEVICE, account_uuid: '', session_id: ID }),
      },
      system: [
        {
          type: 'text',
          text: 'x-anthropic-billing-header: cc_version=2.1.330.572; cc_entrypoint=sdk-ts;',
        },
        { type: 'text', text: "You are a Claude agent, built on Anthropic's Claude Agent SDK." },
      ],
      tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: `Report 2026-11-21 of ${TURN} please` },
        {
          role: 'system',
          content:
            '# Environment\n - Primary working directory: /home/ada/shop\n - Is a git repository: false\n' +
            " - Platform: linux\n - OS Version: Linux 6.18.44\n\nToday's date is 2026-11-23.",
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'toolu_1',
              name: 'Read',
              input: { path: '/tmp/claude-7qtQ/notes.md' },
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'at 1763751000' }],
        },
      ],
    },
  },
  codex: {
    url: 'https://api.openai.com/v1/responses',
    body: {
      model: 'gpt-5',
      stream: true,
      prompt_cache_key: ID,
      client_metadata: {
        session_id: ID,
        thread_id: ID,
        turn_id: TURN,
        'x-codex-installation-id': 'dd4ad603-1058-4eb6-99ff-3cd05052223c',
        'x-codex-window-id': `${ID}:0`,
        'x-codex-turn-metadata': JSON.stringify({
          session_id: ID,
          window_id: `${ID}:0`,
          sandbox_mode: 'read-only',
          turn_started_at_unix_ms: 1_795_408_001_149,
          model: 'gpt-5',
        }),
      },
      tools: [
        { type: 'function', name: 'exec_command', description: 'Runs a command.', parameters: {} },
      ],
      input: [
        {
          type: 'message',
          role: 'developer',
          id: 'msg_9f45fd17-ef11-5395-9c70-b4489249c655',
          content: [
            {
              type: 'input_text',
              text: 'You are Codex.\n- `r0` = `/home/ada/.codex/skills`\nBe brief.',
            },
          ],
        },
        {
          type: 'message',
          role: 'user',
          id: `msg_${TURN}`,
          content: [
            {
              type: 'input_text',
              text:
                '<environment_context>\n  <cwd>/home/ada/shop</cwd>\n  <current_date>2026-11-23</current_date>\n' +
                '  <filesystem><workspace_roots><root>/home/ada/shop</root></workspace_roots></filesystem>\n</environment_context>',
            },
          ],
        },
        {
          type: 'message',
          role: 'user',
          content: [
            {
              type: 'input_text',
              text: 'Report 2026-11-21 of 8f14e45f-ceea-467f-a3f0-1b2c3d4e5f60 please',
            },
          ],
        },
      ],
    },
  },
}

type Edit = [name: string, from: string, to: string]

const OTHER = '01b777a8-2055-7c90-a18c-5102e86795b2'

const VARIES: Record<AgentName, Edit[]> = {
  'claude-code': [
    ['another session', ID, OTHER],
    ['another machine', DEVICE, DEVICE.replaceAll('c', 'd')],
    ['another working folder', '/home/ada/shop', '/home/runner/work/shop'],
    ['another release of the system', 'Linux 6.18.44', 'Darwin 25.1.0'],
    ['another day', 'date is 2026-11-23', 'date is 2026-12-01'],
    ['another temporary folder', '/tmp/claude-7qtQ', '/tmp/claude-IBGp'],
  ],
  codex: [
    ['another session', ID, OTHER],
    ['another turn', `"turn_id":"${TURN}"`, `"turn_id":"${OTHER}"`],
    ['another installation', 'dd4ad603', 'ee4ad603'],
    ['other ids of messages', `msg_${TURN}`, `msg_${OTHER}`],
    ['another time', '1795408001149', '1795408011386'],
    ['another working folder', '/home/ada/shop', '/home/runner/work/shop'],
    ['another home', '/home/ada/.codex/skills', '/tmp/codex-bLOL/skills'],
    ['another day', '<current_date>2026-11-23', '<current_date>2026-12-01'],
  ],
}

const COUNTS: Record<AgentName, Edit[]> = {
  'claude-code': [
    ['the instructions', 'You are a Claude agent', 'You are the Claude agent'],
    ['a tool', 'Reads a file.', 'Reads a whole file.'],
    ['a turn', 'please', 'now'],
    ['a date of the user', 'Report 2026-11-21', 'Report 2026-11-22'],
    ['an id of the user', TURN, OTHER],
    ['a file of a tool', 'notes.md', 'todo.md'],
    ['a time in a result', '1763751000', '1763751001'],
    ['the release of the program', 'cc_version=2.1.330', 'cc_version=2.1.331'],
    ['the repository', 'repository: false', 'repository: true'],
    ['the model', 'claude-opus-5-5', 'claude-opus-5-6'],
  ],
  codex: [
    ['the instructions', 'Be brief.', 'Be thorough.'],
    ['a tool', 'Runs a command.', 'Runs one command.'],
    ['a turn', 'please', 'now'],
    ['a date of the user', 'Report 2026-11-21', 'Report 2026-11-22'],
    ['an id of the user', '8f14e45f', '9f14e45f'],
    ['the sandbox', 'read-only', 'workspace-write'],
    ['the model', '"gpt-5"', '"gpt-5-mini"'],
  ],
}

function incoming(agent: AgentName, [, from, to]: Edit, volatile: VolatileRule[]): Incoming {
  const { url, body } = REQUESTS[agent]
  const text = JSON.stringify(body)
  const [one, other] = [from, to].map((piece) =>
    text.includes(from) ? piece : piece.replaceAll('"', '\\"'),
  )
  if (!text.includes(one!)) throw new Error(`The request does not say ${from}`)
  const wire = { method: 'POST', url, body: readText(text.replaceAll(one!, other!)) }
  return readIncoming(wire, { volatile })
}

const NONE: Edit = ['nothing', 'model', 'model']

function outcomeOf(agent: AgentName, edit: Edit): string {
  const volatile = [agent]
  const cassette = recorded([incoming(agent, NONE, volatile), 'Done.'])
  return openExample(cassette, { volatile }).answer(incoming(agent, edit, volatile), { order: 1 })
    .action
}

const agents: AgentName[] = ['claude-code', 'codex']
const rows = (edits: Record<AgentName, Edit[]>): Array<[AgentName, string, Edit]> =>
  agents.flatMap((agent) =>
    edits[agent].map((edit): [AgentName, string, Edit] => [agent, edit[0], edit]),
  )

test.for(rows(VARIES))('what %s invents anew may vary: %s', ([agent, , edit]) => {
  expect(outcomeOf(agent, edit)).toBe('replay')
})

test.for(rows(COUNTS))('with the rule %s an edit still fails: %s', ([agent, , edit]) => {
  expect(outcomeOf(agent, edit)).not.toBe('replay')
})

test.for(rows(VARIES))('it is suggested for %s where that is enough: %s', ([agent, , edit]) => {
  const [one, other] = [incoming(agent, NONE, []), incoming(agent, edit, [])]
  expect(suggestRules(one, other, [])?.rules).toEqual([agent])
})

test.for(rows(COUNTS))(
  'it is not suggested for %s where something else differs too: %s',
  ([agent, , edit]) => {
    const [one, other] = [incoming(agent, NONE, []), incoming(agent, edit, [])]
    expect(suggestRules(one, other, [])?.rules ?? []).not.toContain(agent)
  },
)
