import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { arrayOf, defined, objectOf, unlessEmpty } from '../../../providers/fields.ts'
import { heldAnswer, usageIn } from './answers.ts'
import { heldMessages, heldTools, stringIn } from './messages.ts'
import type { HeldPrompt } from './model-call.ts'
import { isWholeRequest, parametersIn, heldRequest } from './requests.ts'
import {
  describe,
  brokenTrace,
  listAt,
  nanosOf,
  objectAt,
  type Convention,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

const SCOPE = 'langsmith'

/** Exports of LangSmith (SDK 0.12): runs, one a line or in a list, with their children inside or beside them. */
export const langsmithExport: SpanSource = {
  name: 'an export of LangSmith',

  recognise: (value) =>
    isJsonObject(value) &&
    ('run_type' in value || isRuns(value.runs) || isRuns(value.post) || isRuns(value.patch)),

  spans(value, place) {
    const file = objectAt(value, place)
    if ('run_type' in file) return runsIn(file, place)
    const posted = [...listAt(file.runs, place), ...listAt(file.post, place)]
    const merged = merge(posted, listAt(file.patch, place), place)
    return merged.flatMap((run, index) => runsIn(run, `${place}, run ${index + 1}`))
  },
}

function isRuns(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && isJsonObject(value[0]) && 'dotted_order' in value[0]
}

/** Runs as they began, with what was sent at their end. The end has no id in JavaScript's SDK. */
function merge(
  posted: readonly JsonValue[],
  patched: readonly JsonValue[],
  place: string,
): JsonObject[] {
  const runs = new Map<string, JsonObject>()
  for (const one of [...posted, ...patched]) {
    const run = objectAt(one, place)
    const key = stringIn(run, 'dotted_order', 'id') ?? place
    const known = Object.entries(run).filter(([, value]) => value !== null)
    runs.set(key, { ...runs.get(key), ...Object.fromEntries(known) })
  }
  return [...runs.values()]
}

function runsIn(run: JsonObject, place: string): TraceSpan[] {
  const children = listAt(run.child_runs, place).map((one) => objectAt(one, place))
  return [readRun(run, place), ...children.flatMap((child) => runsIn(child, place))]
}

function readRun(run: JsonObject, place: string): TraceSpan {
  // A run is known by its way from the root: the last step ends with its id.
  const way = (stringIn(run, 'dotted_order') ?? '').split('.')
  const idIn = (step: string | undefined): string | undefined =>
    step?.replace(/^[^Z]*Z/, '') || undefined
  const id = stringIn(run, 'id') ?? idIn(way.at(-1)) ?? place
  if (typeof run.run_type !== 'string')
    throw brokenTrace(place, `a run_type is expected, and there is ${describe(run.run_type)}`)
  return spanOf({
    traceId: stringIn(run, 'trace_id') ?? idIn(way[0]) ?? id,
    id,
    parentId: stringIn(run, 'parent_run_id') ?? idIn(way.at(-2)),
    name: stringIn(run, 'name') ?? '',
    start: nanosOf(run.start_time, place),
    end: nanosOf(run.end_time, place),
    attributes: run,
    events: [],
    failure: stringIn(run, 'error'),
    scope: SCOPE,
    place,
  })
}

/** What LangSmith keeps of a call: what the SDK was given, and what it gave back. */
export const langsmith: Convention = {
  name: 'LangSmith',
  contentSetting: 'LANGSMITH_HIDE_INPUTS=false and LANGSMITH_HIDE_OUTPUTS=false',

  kindOf({ attributes, scope }) {
    if (scope !== SCOPE) return undefined
    if (attributes.run_type === 'llm') return 'model'
    return attributes.run_type === 'tool' ? 'tool' : false
  },

  readCall({ attributes }) {
    const { inputs = null, outputs, extra, events } = attributes
    const { metadata, invocation_params: params } = objectOf(extra)
    const isWhole = isWholeRequest(inputs)
    const told = objectOf(metadata)
    // LangChain has the messages in the inputs, and all else in its own place.
    const prompt = isWhole
      ? { ...heldRequest(inputs), isWhole }
      : promptOfLangChain(inputs, objectOf(params))
    const usage = usageIn(told.usage_metadata)
    return {
      prompt: {
        operation: 'chat',
        ...defined({
          provider: stringIn(told, 'ls_provider'),
          model: stringIn(told, 'ls_model_name'),
        }),
        ...prompt,
      },
      answer: { text: '', ...heldAnswer(outputs), ...(usage ? { usage } : {}) },
      streamed: isWhole ? inputs.stream === true : hasTokens(events) || undefined,
      responseId: stringIn(objectOf(outputs), 'id'),
    }
  },

  readTool({ attributes, name }) {
    const { inputs, outputs } = attributes
    const result = objectOf(outputs).output ?? outputs
    const parameters = objectOf(inputs).input ?? inputs
    return { callId: stringIn(objectOf(result), 'tool_call_id'), name, parameters, result }
  },

  conversation({ attributes: { extra } }) {
    const metadata = objectOf(objectOf(extra).metadata)
    return stringIn(metadata, 'thread_id', 'session_id', 'conversation_id')
  },
}

/** Whether the tokens of an answer came one by one. LangChain says of no call whether it was streamed. */
function hasTokens(events: JsonValue | undefined): boolean {
  return arrayOf(events).some((one) => objectOf(one).name === 'new_token')
}

function promptOfLangChain(inputs: JsonValue, params: JsonObject): HeldPrompt {
  const messages = heldMessages(isJsonObject(inputs) ? (inputs.messages ?? inputs.prompts) : inputs)
  return defined({
    model: stringIn(params, 'model', 'model_name'),
    messages,
    tools: heldTools(params.tools),
    parameters: unlessEmpty(params) && withoutLangChain(params),
  })
}

/** Fields that LangChain adds to the parameters of a request. */
function withoutLangChain(params: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parametersIn(params)).filter(
      ([name]) => !/^_|^(?:model_name|ls_|lc_)/.test(name),
    ),
  )
}
