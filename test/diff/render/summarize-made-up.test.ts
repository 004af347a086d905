import { expect, test } from 'vitest'
import { diffPrompts } from '../../../src/diff/diff-prompts.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { comparedPromptFor } from '../../../src/engine/read-prompt.ts'
import { readText } from '../../../src/wire/body.ts'
import type { Prompt } from '../../../src/prompt/prompt.ts'
import { summarizeChanges } from '../as-shown.ts'

/** What programs write anew beside the words of people, before and after. */
const DERIVED: Array<[before: string, after: string]> = [
  ['Today is Tuesday, November 24, 2026.', 'Today is Wednesday, November 25, 2026.'],
  ['Today is Tuesday, November 24.', 'Today is Wednesday, November 25.'],
  ['It is 9:59 PM.', 'It is 10:02 PM.'],
  ['Session: sess_9f8e7d', 'Session: sess_0a1b2c'],
  ['cwd: C:\\Users\\alice\\shop', 'cwd: D:\\work\\agent'],
  ['Server: http://localhost:53412/mcp', 'Server: http://localhost:41233/mcp'],
  ['nonce: kQpXwLmZ', 'nonce: vBnMaSdF'],
  ['(sha256=3q2+7w==)', '(sha256=q83v7A==)'],
  ['Run #17, pid 4821, commit 4bf92f3', 'Run #18, pid 977, commit 0aa11b2'],
  ['Trace <id>V1StGXR8_Z5jdHi6B-myT</id>', 'Trace <id>Z9StGXR8_a5jdHi6B-moP</id>'],
  ['Log: /var/log/agent/run-17.txt', 'Log: /home/bob/agent/run-18.txt'],
  ['Version 2.1.330.28d', 'Version 2.1.331.b31'],
]

test.for(DERIVED)('the word of a person leads before %s', ([old, current]) => {
  const ask = (derived: string, system: string, user: string, tool = 'Finds orders.'): Prompt =>
    readPrompt({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: `${derived}\n\nYou help in a shop. ${system}\n${derived}` },
        { role: 'user', content: `<context>${derived}</context>\n\n${user}` },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'find', description: `${tool} ${derived}`, parameters: {} },
        },
      ],
      metadata: { note: derived },
    })
  const before = ask(old, 'Be brief.', 'Which orders are late?')
  const first = (now: Prompt): string => summarizeChanges(diffPrompts(before, now))
  expect(first(ask(current, 'Be kind.', 'Which orders are late?'))).toMatch(
    /\(system\).*\("brief\." → "kind\."\)/,
  )
  expect(first(ask(current, 'Be brief.', 'Which orders are lost?'))).toMatch(
    /\(user\).*\("late\?" → "lost\?"\)/,
  )
  expect(first(ask(current, 'Be kind.', 'Which orders are lost?'))).toMatch(/\(user\).*"lost\?"/)
  expect(first(ask(current, 'Be brief.', 'Which orders are late?', 'Shows orders.'))).toMatch(
    /"Finds" → "Shows"/,
  )
  // Where nothing else differs, it leads all the same.
  expect(first(ask(current, 'Be brief.', 'Which orders are late?'))).toMatch(/ → |edited/)
})

function readPrompt(body: object): Prompt {
  const url = 'https://api.openai.com/v1/chat/completions'
  return comparedPromptFor(
    readIncoming({ method: 'POST', url, body: readText(JSON.stringify(body)) }),
  )
}
