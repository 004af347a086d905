import { expect, test } from 'vitest'
import { VOLATILE_NAMES } from '../../src/config/volatile-rule.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import {
  AGENT_REQUEST,
  DECLARED_EDITS,
  edited,
  UNDECLARED_EDITS,
  type Edit,
} from './agent-edits.ts'
import { openExample, recorded } from './example-session.ts'

const volatile = [...VOLATILE_NAMES]

function incoming(body: JsonObject): Incoming {
  const wire = {
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    body: readText(JSON.stringify(body)),
  }
  return readIncoming(wire, { volatile })
}

const cassette = recorded([incoming(AGENT_REQUEST), 'Done.'])

/** What becomes of a test whose agent sends the edited request, with all named rules on. */
function outcomeOf(edit: Edit): 'passes' | 'fails' {
  const answer = openExample(cassette, { volatile }).answer(incoming(edited(edit)), { order: 1 })
  return answer.action === 'replay' ? 'passes' : 'fails'
}

test.for(DECLARED_EDITS)('an edit of a declared value passes: %s', (edit) => {
  expect(outcomeOf(edit)).toBe('passes')
})

test.for(UNDECLARED_EDITS)('an edit of anything else fails: %s', (edit) => {
  expect(outcomeOf(edit)).toBe('fails')
})

test('docs/volatile-drift.md is what these tests found', async () => {
  const rows = [...DECLARED_EDITS, ...UNDECLARED_EDITS].map((edit) => {
    const [name, from, to] = edit
    return `| ${name} | \`${from}\` | \`${to}\` | ${outcomeOf(edit)} |`
  })
  const text = [
    '# Single edits of an agent’s request',
    '',
    `With all ${VOLATILE_NAMES.length} [named rules](volatile.md) on, an agent may have another session, folder or date in each run. Another word,`,
    `tool or number still fails its test. Of the edits below, ${DECLARED_EDITS.length} of declared values pass, and ${UNDECLARED_EDITS.length} of anything else fail.`,
    '',
    '| edit | from | to | the test |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Written by `npx vitest run test/engine/volatile-drift.test.ts -u`.',
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/volatile-drift.md')
})
