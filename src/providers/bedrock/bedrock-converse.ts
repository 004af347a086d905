import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { readBedrockBlocks } from './bedrock-blocks.ts'
import { bedrockFormat } from './bedrock-format.ts'
import { readBedrockEnvelope } from './bedrock-model.ts'
import { writeConverseAnswer } from './bedrock-write.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf } from '../kit/envelope.ts'
import { arrayOf, defined, listsIn, objectOf, stringOf, stringsIn } from '../fields.ts'
import { hasRole, unknownMessage, unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { providerPaths } from '../provider-paths.ts'

/** Amazon Bedrock's Converse, one format for the models of every vendor. */
export const bedrockConverse: Dialect = {
  name: 'bedrock-converse',

  claims(request) {
    if (request.method !== 'POST' || !providerPaths['bedrock-converse'].test(pathOf(request))) {
      return false
    }
    const { messages, promptVariables } = bodyOf(request)
    // A stored prompt is asked with nothing but its variables.
    return arrayOf(messages).some(hasRole) || isJsonObject(promptVariables)
  },

  readPrompt: readConversePrompt,

  readCompletion: (response) => readAnswer(response, bedrockFormat),

  writeCompletion: writeConverseAnswer,
}

/** Reads a prompt in the format of Converse. */
export function readConversePrompt(request: WireRequest): ReturnType<Dialect['readPrompt']> {
  const body = bodyOf(request)
  const { toolConfig } = body
  const { tools, ...toolChoice } = objectOf(toolConfig)
  const read = listsIn(body, 'messages', 'system')
  const hasTools = arrayOf(tools).length > 0
  if (hasTools) read.push('toolConfig')
  const { parameters, ...envelope } = readBedrockEnvelope(request, 'chat', read)
  if (hasTools && Object.keys(toolChoice).length > 0) parameters.toolConfig = toolChoice
  const { system } = body
  const first = read.includes('system') ? [readMessage({ role: 'system', content: system! })] : []
  return {
    ...envelope,
    parameters,
    messages: [...first, ...arrayOf(body.messages).map(readMessage)],
    tools: arrayOf(tools).map(readTool),
  }
}

function readMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const rest = new Remainder()
  const parts = readBedrockBlocks(value.content, rest)
  rest.keep('', value, [...listsIn(value, 'content'), ...stringsIn(value, 'role')])
  return { role: stringOf(value.role) ?? 'unknown', parts, ...rest.extra }
}

/** A tool of the application, or one of Bedrock's own, which is named by its kind. */
function readTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const spec = objectOf(value.toolSpec)
  const [kind = ''] = Object.keys(value)
  if (typeof spec.name !== 'string') {
    return { name: stringOf(objectOf(value[kind]).name) ?? kind, extra: value }
  }
  const rest = new Remainder()
  const schema = objectOf(spec.inputSchema)
  rest.keep('', value, ['toolSpec'])
  rest.keep('toolSpec', spec, ['name', ...stringsIn(spec, 'description'), ...schemaIn(spec)])
  rest.keep('toolSpec.inputSchema', schema, ['json'])
  return defined({
    name: spec.name,
    description: stringOf(spec.description),
    parameters: schema.json,
    ...rest.extra,
  })
}

function schemaIn({ inputSchema }: JsonObject): string[] {
  return isJsonObject(inputSchema) && inputSchema.json !== undefined ? ['inputSchema'] : []
}
