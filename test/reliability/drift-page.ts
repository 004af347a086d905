import { PROVIDERS } from '../../src/providers/catalogue.ts'
import { ASKING, BESIDE, FAMILIES, NAMING } from '../../src/providers/tables/header-names.ts'
import type { Edit } from './edits.ts'
import { MAY_PASS, type MayPass } from './may-pass.ts'
import { FORMATS } from './meaning/formats.ts'
import { harmlessEdits } from './meaning/harmless.ts'
import { meaningfulEdits, type MeaningfulEdit } from './meaning/edits.ts'

const count = (value: number): string => value.toLocaleString('en')
const code = (names: Iterable<string>): string => [...names].map((name) => `\`${name}\``).join(', ')
const words = (names: string): string => code(names.split(' '))

/** The text of docs/drift.md. */
export function driftPage(requests: number, edits: readonly Edit[]): string {
  const countOf = (row: MayPass): number => edits.filter(row.covers).length
  const passing = MAY_PASS.map(countOf).reduce((sum, more) => sum + more)
  const meaning = FORMATS.flatMap(meaningfulEdits)
  const harmless = FORMATS.flatMap(harmlessEdits)
  return [
    '# What may change without failing a test',
    '',
    'The whole request is compared: another word, parameter, tool, model or order of messages fails the test. These may',
    'change, and nothing else; values that you [declare](volatile.md) come on top.',
    '',
    '| what | why | edits |',
    '|---|---|---|',
    ...MAY_PASS.map((row) => `| ${row.what} | ${row.why} | ${countOf(row)} |`),
    '',
    'A file in a form counts as the text that it is, and so does each other part: a model may read it. If a',
    '[recording was imported](move-in.md#what-is-stored) without headers, its headers are not compared.',
    '',
    'What [a rule of `redact`](security.md#rules-of-your-own) leaves out is not compared, but which of its values are equal',
    'is: values that are exchanged one for one in the whole test are not seen, unless the rule has a `check`. The summary of',
    'a run counts the requests. Nor is another value seen of a credential of 64 bits or more that stands in a prompt.',
    '',
    '## Order',
    '',
    'Requests come in any order, with one exception: a request keeps its place after another one if it was sent after the',
    'response of that one had ended, the two are about the same state of the provider, and the earlier one can have changed',
    'it (it is no `GET` or `HEAD`). Sent too early, it fails with the exchange that comes before it. The recording writes this',
    'down as `after`. Requests that were in flight together get none, and come in either order.',
    '',
    'A state has an id. These name one:',
    '',
    '- in a path, the member of a collection: `threads`, `conversations`, `uploads`, `files`, `batches`, `vector_stores`,',
    '  `responses`, `runs`, `assistants`, `cachedContents`, `containers`, `sessions`, `interactions`, `jobs`, `predictions`,',
    '  `requests`, `messages`, `calls`, `chats`, `evals`. It has a digit, or begins as `thread_` does',
    '- in a path, any segment with a digit that an earlier response of the recording gave as an id',
    '- the fields `conversation`, `conversation_id`, `thread_id` and `container` of a body, and the parameter `upload_id`',
    '',
    'Such an id also counts where it stands in the body of another request as a whole text: a file that a prompt names is',
    'read before it is deleted. Models, deployments, accounts and projects in a path are no states. Nor are the messages of a',
    'chat, `previous_response_id` and the ids of tool calls: they belong to the prompt. A request names one other request,',
    'so of several that were in flight together before it, only the last to end has to come first.',
    '',
    'Exchanges stand in the order of the ends of their responses, and responses in flight together end in this order in',
    'replay, without waiting. Where timers decide, as in a batch, a debounced input or a poll, [give the responses',
    "their time](in-tests.md#streams-and-partial-answers) with `pace: 'recorded'`.",
    '',
    '## Hosts',
    '',
    'The host counts, since it can be one model: an endpoint of Hugging Face, a deployment of Baseten or of a serverless',
    'model of Azure, a Foundry project, `llama.localhost`. A port never counts. `localhost`, `127.*.*.*`, `0.0.0.0` and',
    '`[::1]` are one place. A local server that the run has started is no provider: it is called, not replayed. If nothing',
    'listens at its port, and the process of the test has never listened there, a request to it is matched like one to a',
    'local provider. So the recording of a local provider can replace a gateway under test that runs in another process,',
    'forwards equal requests, and failed to start: name such a gateway in `allowHosts`. These hosts are one place too:',
    '',
    '| provider | hosts | why they are equal |',
    '|---|---|---|',
    ...Object.entries(PROVIDERS).flatMap(([name, { hosts, equal, but }]) =>
      equal ? `| ${name} | ${code(hosts.filter((host) => !but?.test(host)))} | ${equal} |` : [],
    ),
    '',
    '## Headers',
    '',
    'These headers count, since they change what a model does, how it answers, or who answers. In a configuration that is',
    'JSON, keys are left out. In `accept` and `content-type`, JSON, plain text, bytes and forms do not count: they are the',
    'default of clients. Plain text, JSON lines and a version of JSON count where nothing else is accepted.',
    '',
    '| of | headers |',
    '|---|---|',
    ...Object.entries(ASKING).map(
      ([name, headers]) => `| ${name} | ${code(Object.keys(headers))} |`,
    ),
    `| any gateway | each whose name ends with ${words(NAMING.who)}, and perhaps ${words(NAMING.which)} behind it; with ${words(NAMING.how)}; or with ${words(NAMING.where)}, of which host and path count if it is an address |`,
    `| gateways, by a digest of the value | all that begin with ${code(FAMILIES.map((name) => `${name}-`))} |`,
    '',
    `The last two rows leave out names with one of these words, which say who asks or pays, for what, from where, or how`,
    `patiently: ${BESIDE.replaceAll(' ', ', ')}.`,
    '',
    'A `host` counts where it is another than that of the address, by its name and not by its port, as hosts do. Of the',
    'subprotocols of a socket, those that hold a credential or name an organization or a project do not count; the others do,',
    'in their order, and so does whether a message is a text or bytes. A `host` that is given to',
    "Node's fetch does not count, since fetch sends that of the address.",
    '',
    '## Edits of meaning',
    '',
    `In ${FORMATS.map(({ name }) => name).join(', ')}.`,
    '',
    ...table(meaning),
    '',
    '## Harmless changes',
    '',
    ...table(harmless),
    '',
    '## How it was tried',
    '',
    `Of ${count(edits.length)} single edits of ${requests} requests, ${count(edits.length - passing)} fail the test and ${passing} pass: the first table counts them. Of`,
    `${count(meaning.length)} edits of meaning in ${FORMATS.length} wire formats, all fail. Of ${count(harmless.length)} harmless changes, all pass. Each is tried through`,
    'fetch and through a socket, against a recording from its file. Written by',
    '`npx vitest run test/reliability/drift.test.ts -u`.',
    '',
    'A single edit changes, empties, retypes, renames, adds or removes a value, swaps two elements of a list, or touches',
    'method, address or headers.',
    '',
  ].join('\n')
}

function table(edits: readonly MeaningfulEdit[]): string[] {
  const rows = Map.groupBy(edits, ({ what, why }) => `| ${what} | ${why} |`)
  return [
    '| what | why | formats |',
    '|---|---|---|',
    ...[...rows].map(([row, all]) => `${row} ${all.length} |`),
  ]
}
