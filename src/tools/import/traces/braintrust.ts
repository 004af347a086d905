import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { arrayOf, defined, objectOf, stringOf, unlessEmpty } from '../../../providers/fields.ts'
import { heldAnswer, usageIn } from './answers.ts'
import { heldMessages, heldTools, stringIn } from './messages.ts'
import { parametersIn, withInstructions } from './requests.ts'
import {
  listAt,
  nanosOf,
  objectAt,
  type Convention,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

const SCOPE = 'braintrust'

/**
 * Exports of Braintrust (SDK 3.35): rows of its log, in a list or one a line; and the trees in which its own tests
 * keep spans.
 */
export const braintrustExport: SpanSource = {
  name: 'an export of Braintrust',

  recognise: (value) =>
    isJsonObject(value) &&
    (isRow(value) || Array.isArray(value.span_tree) || rowsIn(value) !== undefined),

  spans(value, place) {
    const file = objectAt(value, place)
    if (Array.isArray(file.span_tree)) return treesIn(file.span_tree, place)
    const rows = isRow(file) ? [file] : (rowsIn(file) ?? [])
    return rows.map((row, index) => readRow(objectAt(row, place), `${place}, row ${index + 1}`))
  },
}

function isRow(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    'span_id' in value &&
    ('root_span_id' in value || 'span_attributes' in value)
  )
}

function rowsIn(value: JsonObject): JsonValue[] | undefined {
  return [value.rows, value.events, value.objects, value.data].find(
    (list): list is JsonValue[] => Array.isArray(list) && isRow(list[0]),
  )
}

function readRow(row: JsonObject, place: string): TraceSpan {
  const { span_attributes: named, metrics, span_parents: parents } = row
  const { name, type } = objectOf(named)
  const { start, end } = objectOf(metrics)
  const parent = stringOf(arrayOf(parents)[0])
  const id = stringIn(row, 'span_id', 'id') ?? place
  return spanOf({
    traceId: stringIn(row, 'root_span_id') ?? id,
    id,
    parentId: parent === id ? undefined : parent,
    name: stringOf(name) ?? '',
    start: nanosOf(start ?? row.created, place),
    end: nanosOf(end, place),
    attributes: { ...row, type: type ?? null },
    events: [],
    failure: failureIn(row.error),
    scope: SCOPE,
    place,
  })
}

function failureIn(error: JsonValue = null): string | undefined {
  if (error === null) return undefined
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** Trees have neither ids nor times: each span gets its place. */
function treesIn(trees: readonly JsonValue[], place: string): TraceSpan[] {
  const spans: TraceSpan[] = []
  const add = (node: JsonValue, id: string, root: string, parentId?: string): void => {
    const { name, attributes, children, error, ...rest } = objectAt(node, `${place}, ${id}`)
    const span = spanOf({
      traceId: root,
      id,
      parentId,
      name: stringOf(name) ?? '',
      attributes: isJsonObject(attributes) ? attributes : rest,
      events: [],
      failure: failureIn(error),
      scope: isJsonObject(attributes) ? '' : SCOPE,
      place: `${place}, ${id}`,
    })
    spans.push(span)
    for (const [index, child] of listAt(children, place).entries())
      add(child, `${id}.${`${index + 1}`.padStart(3, '0')}`, root, id)
  }
  // All of them are one run.
  for (const [index, tree] of trees.entries())
    add(tree, `span ${`${index + 1}`.padStart(3, '0')}`, 'tree')
  return spans
}

/** The names of calls that are answered without words, which have the type of the others. */
const WORDLESS = /embed|rerank|moderation|image|speech|transcription/i

/** What Braintrust keeps of a call: its input, its output, and all else of both as metadata. */
export const braintrustSpans: Convention = {
  name: 'Braintrust',
  contentSetting: 'take the masking function (setMaskingFunction) away',

  kindOf({ attributes, name, scope }) {
    if (scope !== SCOPE) return undefined
    if (attributes.type === 'llm') return WORDLESS.test(name) ? false : 'model'
    return attributes.type === 'tool' ? 'tool' : false
  },

  readCall({ attributes }) {
    const metadata = objectOf(attributes.metadata)
    // A response of OpenAI repeats its request: what stands there is what was used, with all defaults.
    const isOfAnswer = metadata.object === 'response'
    const messages = heldMessages(attributes.input)
    const tools = heldTools(metadata.tools)
    const provider = stringIn(metadata, 'provider')
    const model = stringIn(metadata, 'model')
    const answer = heldAnswer(attributes.output)
    const usage = usageIn(attributes.metrics)
    const reason = stringIn(metadata, 'stop_reason', 'finish_reason', 'finishReason')
    const stream = metadata.stream
    return {
      prompt: defined({
        operation: 'chat',
        provider,
        model,
        messages: messages && withInstructions(metadata.instructions ?? metadata.system, messages),
        tools: isOfAnswer && tools ? unlessEmpty(tools) : tools,
        parameters: isOfAnswer ? undefined : requested(metadata),
      }),
      answer: {
        text: '',
        ...(reason ? { finish_reasons: [reason] } : {}),
        ...answer,
        ...(usage ? { usage } : {}),
      },
      streamed: typeof stream === 'boolean' ? stream : undefined,
      responseId: stringIn(metadata, 'id'),
      isAnsweredModel: isOfAnswer,
    }
  },

  readTool({ attributes, name }) {
    const { input, output, metadata } = attributes
    const callId = stringIn(objectOf(metadata), 'tool_call_id', 'toolCallId')
    return { callId, name, parameters: input, result: output }
  },

  conversation: ({ attributes: { metadata } }) =>
    stringIn(objectOf(metadata), 'session_id', 'thread_id', 'conversation_id'),
}

/** Metadata that belong to the answer, or that people add. */
const NO_PARAMETERS =
  /^(?:provider|id|stop_reason|stop_sequence|stop_details|finish_?[rR]eason|ls_.*|tool_name|created|cached|metadata)$/

function requested(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parametersIn(metadata)).filter(([name]) => !NO_PARAMETERS.test(name)),
  )
}
