import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { objectOf, isFilled } from '../fields.ts'
import { providerPaths } from '../provider-paths.ts'
import { bodyOf, pathOf } from './envelope.ts'
import { generic } from './generic.ts'

/** Whether a body on the path of a format asks for what the format is for; any host may have such a path. */
const ASKS: Partial<
  Record<keyof typeof providerPaths, (body: JsonObject, path: string) => boolean>
> = {
  'bedrock-agent': ({ input, inputText, sessionState }) =>
    typeof (inputText ?? objectOf(input).text) === 'string' || sessionState !== undefined,
  'hugging-face-text': ({ inputs }) => typeof inputs === 'string',
  'mistral-conversations': ({ inputs }) => isFilled(inputs),
  'mistral-fim': ({ model, prompt }) => typeof model === 'string' && typeof prompt === 'string',
  'mistral-ocr': ({ document }) => isJsonObject(document),
  // Azure has the model in the path.
  'openai-media': ({ model, prompt, input }, path) =>
    typeof model === 'string' || (prompt ?? input) !== undefined || path.includes('/deployments/'),
  watsonx: ({ messages, input, inputs }) => [messages, input, inputs].some(isFilled),
}

/**
 * Formats that are known only by their address, so that their requests are LLM calls at any gateway: speech, pictures
 * and videos, documents, agents, and texts of few clients. They are kept and shown as they were sent.
 */
export const asSent: Dialect[] = Object.entries(ASKS).map(([name, asks]) => ({
  ...generic,
  name,
  claims(request) {
    const path = pathOf(request)
    const isThere = providerPaths[name as keyof typeof ASKS].test(path)
    return request.method === 'POST' && isThere && asks(bodyOf(request), path)
  },
}))
