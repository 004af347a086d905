import { posix } from 'node:path'
import { textOfMessage } from './messages.ts'
import type { ModelCall } from './model-call.ts'

/** The longest question that a test quotes. */
const MAX_QUESTION = 500

/**
 * The shortest test for the cassette of a trace: it names the cassette, and fails until a person calls the application
 * with what the user said first.
 *
 * @param test its titles, the suites first, and the path of its cassette, as the plugin looks for it
 */
export function firstTest(
  { calls }: { calls: readonly ModelCall[] },
  { titles, cassette }: { titles: readonly string[]; cassette: string },
): string {
  const suites = titles.slice(0, -1)
  const title = titles.at(-1)!
  const question = firstWords(calls)
  const last = calls.findLast(({ answer }) => answer.text !== '')?.answer.text
  const lines = [
    `// Made of a trace; its answers are in ${posix.normalize(cassette)}`,
    `test(${quoted(title)}, async () => {`,
    `  const question = ${quoted(question)}`,
    `  // Call the application here, as the user did: const answer = await runAgent(question)`,
    `  const answer = await Promise.reject(new Error(\`Call the application with: \${question}\`))`,
    ...(last === undefined ? [] : [`  // In production it ended with: ${quoted(shortened(last))}`]),
    `  expect(answer).toBeDefined()`,
    '})',
  ]
  const inSuites = suites.reduceRight<string[]>(
    (inner, suite) => [
      `describe(${quoted(suite)}, () => {`,
      ...inner.map((line) => (line === '' ? line : `  ${line}`)),
      '})',
    ],
    lines,
  )
  const names = suites.length > 0 ? 'describe, expect, test' : 'expect, test'
  return [`import { ${names} } from 'vitest'`, '', ...inSuites, ''].join('\n')
}

/** What the user said first; the whole of it, up to a length that fits into a test. */
export function firstWords(calls: readonly ModelCall[]): string {
  const said = calls[0]?.prompt.messages?.find(
    (message) => message.role === 'user' && textOfMessage(message) !== '',
  )
  return shortened(said ? textOfMessage(said) : '')
}

function shortened(text: string): string {
  return text.length > MAX_QUESTION ? `${text.slice(0, MAX_QUESTION)}…` : text
}

/** A text as code: JSON is JavaScript but for the line ends that only Unicode has, which are escaped too. */
function quoted(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return /['\\]/.test(text) || json.includes('\\') ? json : `'${text}'`
}
