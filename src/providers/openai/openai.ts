import { places, placesBelow } from '../kit/places.ts'
import { type Providers, REGION, type RequestPlace } from '../provider.ts'

export const OPENAI_PATHS = {
  'openai-chat': /\/(?:chat|agents)\/completions\/?$/,
  'openai-completions': /\/(?:v\d+\w*|openai|deployments\/[^/]+)\/completions\/?$/,
  'openai-embeddings': /\/(?:v\d+\w*|openai|codex|deployments\/[^/]+)\/embeddings\/?$/,
  'openai-media':
    /\/(?:v\d+\w*|openai|deployments\/[^/]+)\/(?:audio\/(?:speech|transcriptions|translations)|images\/(?:generations|edits|variations)|moderations|videos)\/?$/,
  'openai-realtime-session':
    /\/(?:v\d+\w*|openai)\/realtime\/(?:client_secrets|sessions|transcription_sessions|calls(?:\/[^/]+\/accept)?)\/?$/,
  'openai-responses': /\/(?:v\d+\w*|openai|codex)\/responses(?:\/compact)?\/?$/,
}

const CALL =
  /^(?:(?:function|custom_tool|computer|local_shell|shell|apply_patch)_call(?:_output)?|tool_search_(?:call|output)|function_result)$/

/** The types of results whose call can be in an earlier response. */
const RESULT = /_output$|^function_result$/

export const openai: Providers = {
  openai: {
    hosts: ['api.openai.com', '*.api.openai.com'],
    equal: REGION,
    keys: ['OPENAI_API_KEY'],
    accounts: [{ lend: ['OPENAI_API_KEY'], unless: ['OPENAI_ADMIN_KEY'] }],
    baseUrls: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    address: 'https://api.openai.com/v1',
    paths: OPENAI_PATHS,
    jobs: [OPENAI_PATHS['openai-media']],
    headers: { 'openai-beta': 'set' },
    places: [
      // Chat completions, and all that copied them: Cohere, Ollama, Cloudflare, Hugging Face.
      ...places('call-id', 'messages.*.tool_calls.*.id', 'messages.*.tool_call_id'),
      // Alibaba Cloud's own form of a chat has an input.
      ...places('request', 'input', 'body', 'modelInput'),
      // Responses, conversations and Realtime, and Gemini's interactions.
      ...placesBelow<RequestPlace>(
        ['input', 'input.*', 'input.*.content.*', 'items.*', 'item', 'response.input.*'],
        [
          ['call_id', 'call-id', CALL, RESULT],
          ['id', 'call-id', /^function_call$/, RESULT],
        ],
      ),
      ['body', 'request'],
      ...places('state', 'conversation', 'conversation.id', 'upload_id'),
      // Assistants.
      ['thread_id', 'state'],
      ['tool_outputs.*.tool_call_id', 'call-id', undefined, /^/],
    ],
    models: {
      names: /^(?:gpt-|chatgpt|o\d)/,
      speak: /^openai|^azure/,
      address: 'https://api.openai.com/v1/chat/completions',
    },
  },
  'azure.ai.openai': {
    hosts: ['*.openai.azure.com', '*.openai.azure.us', '*.cognitiveservices.azure.com'],
    equal: 'accounts of one service; the path or the body names the deployment',
    keys: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    keyHeader: 'api-key',
    accounts: [
      { lend: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], unless: ['AZURE_OPENAI_AD_TOKEN'] },
    ],
    baseUrls: ['AZURE_OPENAI_ENDPOINT'],
    headers: {
      'aoai-evals': 'text',
      'x-ms-model-mesh-model-name': 'text',
      'x-ms-oai-image-generation-deployment': 'text',
      'x-policy-id': 'text',
    },
    families: ['x-ms-oai'],
  },
}
