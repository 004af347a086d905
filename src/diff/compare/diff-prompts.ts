import type { Prompt } from '../../prompt/prompt.ts'
import { diffTexts, type PromptChange } from './prompt-change.ts'
import { diffFields } from './diff-fields.ts'
import { diffMessages } from './diff-messages.ts'
import { diffTools } from './diff-tools.ts'

/**
 * Compares two prompts the way a person reads them: message by message, field by field. Ids of tool calls do not
 * count, but the call that a result answers does.
 */
export function diffPrompts(recorded: Prompt, received: Prompt): PromptChange[] {
  return [
    ...diffName('provider', recorded.provider, received.provider),
    ...diffName('operation', recorded.operation, received.operation),
    ...diffName('model', recorded.model, received.model),
    ...diffHeaders(recorded.headers, received.headers),
    ...diffMessages(recorded.messages, received.messages),
    ...diffFields(recorded.parameters, received.parameters),
    ...diffTools(recorded.tools, received.tools),
  ]
}

function diffHeaders(
  recorded: Prompt['headers'] = {},
  received: Prompt['headers'] = {},
): PromptChange[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(received)])
  return [...names]
    .sort()
    .flatMap((name) => diffName(`header ${name}`, recorded[name], received[name]))
}

function diffName(
  path: string,
  before: string | undefined,
  after: string | undefined,
): PromptChange[] {
  return diffTexts({ area: 'field', path }, before, after)
}
