import { expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { comparedPromptFor } from '../../src/engine/read-prompt.ts'
import { readText } from '../../src/wire/body.ts'
import type { Prompt } from '../../src/prompt/prompt.ts'
import { renderChanges, summarizeChanges } from './as-shown.ts'

type Edit = Array<[from: string, to: string]>

const UUIDS: [string, string] = [
  '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  '9e107d9d-372b-4b8d-a5f1-1c2d3e4f5a6b',
]

/** The first request of the Claude Agent SDK. */
const CLAUDE = {
  url: 'https://api.anthropic.com/v1/messages?beta=true',
  body: {
    model: 'claude-sonnet-4-5',
    system: [
      {
        type: 'text',
        text: 'x-anthropic-billing-header: cc_version=2.1.330.28d; cc_entrypoint=sdk-ts; cch=00000;',
      },
      { type: 'text', text: "You are a Claude agent, built on Anthropic's Claude Agent SDK." },
      {
        type: 'text',
        text: 'Be brief.\n<env>\nWorking directory: /home/alice/shop\nPlatform: linux\nOS Version: Linux 6.8\n</env>',
      },
    ],
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: "<system-reminder>\nToday's date is 2026-11-21.\n</system-reminder>",
          },
          { type: 'text', text: 'Which orders are late?' },
        ],
      },
    ],
    tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }],
    metadata: {
      user_id: `{"device_id":"${'ab12'.repeat(16)}","account_uuid":"","session_id":"${UUIDS[0]}"}`,
    },
    max_tokens: 32_000,
  },
}

/** What the program writes anew when one word of the prompt is another. */
const CLAUDE_FOLLOWS: Edit = [
  ['2.1.330.28d', '2.1.330.b31'],
  ['ab12ab12', 'cd34cd34'],
  UUIDS,
  ['2026-11-21', '2026-11-22'],
  ['/home/alice/shop', '/tmp/agent-Qp31aa'],
  ['Linux 6.8', 'Darwin 25.1'],
]

const CODEX = {
  url: 'https://api.openai.com/v1/responses',
  body: {
    model: 'gpt-5-codex',
    instructions: 'You are Codex, a coding agent.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: '<environment_context>\n  <cwd>/home/alice/shop</cwd>\n  <current_date>2026-11-21</current_date>\n</environment_context>',
          },
        ],
      },
      {
        type: 'message',
        role: 'user',
        id: 'msg_0a1b2c3d4e5f',
        content: [{ type: 'input_text', text: 'Which orders are late?' }],
      },
    ],
    prompt_cache_key: UUIDS[0],
    client_metadata: { 'x-codex-installation-id': UUIDS[0], session_id: UUIDS[0] },
  },
}

const COPILOT = {
  url: 'https://api.githubcopilot.com/chat/completions',
  body: {
    model: 'claude-sonnet-4.5',
    messages: [
      {
        role: 'system',
        content:
          'You are the GitHub Copilot CLI. Version number: 0.0.365\n<environment_context>\n* Current working directory: /home/alice/shop\n* Git repository root: /home/alice/shop\n</environment_context>',
      },
      {
        role: 'user',
        content:
          '<current_datetime>2026-11-21T18:47:58.712Z</current_datetime>\n\nWhich orders are late?\n\n<session_id>0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d</session_id>',
      },
    ],
  },
}

/** An agent of the AI SDK in its second step, whose call and result are its own. */
const AI_SDK = {
  url: 'https://api.openai.com/v1/chat/completions',
  body: {
    model: 'gpt-5',
    messages: [
      { role: 'system', content: 'Help. Trace 4bf92f3577b34da6a3ce929d0e0e4736, run 17.' },
      { role: 'user', content: 'Which orders are late?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"days":3}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"orders":[1042]}' },
    ],
    user: 'user-0a1b2c3d',
    tools: [
      {
        type: 'function',
        function: { name: 'find', description: 'Finds late orders.', parameters: {} },
      },
    ],
  },
}

const UUID_AND_DATE: Edit = [UUIDS, ['2026-11-21', '2026-11-22'], ['/home/alice/shop', '/work/x']]
const AI_SDK_FOLLOWS: Edit = [
  ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7a3ce929d0e0e4736'],
  ['user-0a1b2c3d', 'user-9f8e7d6c'],
]
const WORD: [string, string] = ['orders are late?', 'orders are lost?']

test.for<
  [name: string, asked: { url: string; body: object }, follows: Edit, own: Edit, headline: RegExp]
>([
  [
    'the Claude Agent SDK',
    CLAUDE,
    CLAUDE_FOLLOWS,
    [WORD],
    /^message \d \(user\) part 2: text edited \("late\?" → "lost\?"\), and \d more changes$/,
  ],
  [
    'its system prompt',
    CLAUDE,
    CLAUDE_FOLLOWS,
    [['Be brief', 'Be polite']],
    /\(system\).* \("brief\." → "polite\."\), and \d more changes$/,
  ],
  [
    'a description of its tools',
    CLAUDE,
    CLAUDE_FOLLOWS,
    [['a file.', 'a page.']],
    /^tool "Read" description: a file|^tool "Read" description: .*"?Reads a file\."? → "?Reads a page\."?, and \d more changes$/,
  ],
  [
    'a parameter beside',
    CLAUDE,
    CLAUDE_FOLLOWS,
    [['32000', '16000']],
    /^max_tokens: 32000 → 16000, and \d more changes$/,
  ],
  [
    'Codex',
    CODEX,
    UUID_AND_DATE,
    [WORD],
    /\(user\)\D*: text edited \("late\?" → "lost\?"\), and \d more changes$/,
  ],
  [
    'its instructions',
    CODEX,
    UUID_AND_DATE,
    [['a coding agent', 'a kind agent']],
    /\(system\): text edited \("coding" → "kind"\), and \d more changes$/,
  ],
  [
    'the Copilot CLI',
    COPILOT,
    [
      ['0.0.365', '0.0.366'],
      UUIDS,
      ['18:47:58.712', '19:01:02.003'],
      ['/home/alice/shop', '/work/x'],
    ],
    [WORD],
    /\(user\): text edited \("late\?" → "lost\?"\), and 1 more change$/,
  ],
  [
    'an agent of the AI SDK',
    AI_SDK,
    AI_SDK_FOLLOWS,
    [WORD, ['"days\\":3', '"days\\":4'], ['1042', '1043']],
    /\(user\): text edited \("late\?" → "lost\?"\), and \d more changes$/,
  ],
  [
    'a call before its result',
    AI_SDK,
    AI_SDK_FOLLOWS,
    [['1042', '1043']],
    /\(tool\).*1042 → 1043, and \d more changes$/,
  ],
])('the headline is what a person wrote: %s', ([, { url, body }, follows, own, headline]) => {
  const before = readPrompt(url, body, [])
  const after = readPrompt(url, body, [...follows, ...own])
  const changes = diffPrompts(before, after)
  expect(summarizeChanges(changes)).toMatch(headline)
  const shown = renderChanges(changes, { color: false })
  const [first = ''] = shown
    .split('\n')
    .filter((line) => !/^ *(?:⋯|…|\d+ messages? unchanged)/.test(line))
  expect(first).not.toMatch(/metadata|cache_key|part 1$/)
  // Where nothing else differs, the rest leads all the same.
  expect(summarizeChanges(diffPrompts(before, readPrompt(url, body, follows)))).not.toBe('')
})

function readPrompt(url: string, body: object, edits: Edit): Prompt {
  const text = edits.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(body))
  return comparedPromptFor(readIncoming({ method: 'POST', url, body: readText(text) }))
}
