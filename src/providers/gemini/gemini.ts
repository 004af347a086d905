import { places, placesBelow } from '../kit/places.ts'
import { type Providers, REGION } from '../provider.ts'

export const gemini: Providers = {
  'gcp.gemini': {
    hosts: ['generativelanguage.googleapis.com'],
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyHeader: 'x-goog-api-key',
    bearer: /^openai/,
    accounts: [
      {
        lend: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
        unless: ['GOOGLE_GENAI_USE_VERTEXAI'],
      },
    ],
    baseUrls: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL', 'GOOGLE_GENAI_BASE_URL'],
    address: 'https://generativelanguage.googleapis.com',
    paths: {
      'gemini-count-tokens': /\/models\/[^/]+:countTokens$/,
      'gemini-embeddings': /\/models\/[^/]+:(?:embedContent|batchEmbedContents|predict)$/,
      'gemini-generate': /\/(?:models|tunedModels|endpoints)\/[^/]+:(?:g|streamG)enerateContent$/,
      'gemini-interactions': /\/v1\w*\/interactions\/?$/,
    },
    headers: {
      'x-goog-api-version': 'text',
      'x-goog-upload-command': 'set',
      'x-goog-upload-header-content-type': 'text',
    },
    families: ['x-gemini'],
    places: [
      ...placesBelow(
        ['contents', 'clientContent.turns', 'client_content.turns'],
        places(
          'call-id',
          '*.parts.*.functionCall.id',
          '*.parts.*.functionResponse.id',
          '*.parts.*.function_call.id',
          '*.parts.*.function_response.id',
        ),
      ),
      // Batches, and the requests whose tokens are counted.
      ...places(
        'request',
        'batch.inputConfig.requests.requests.*.request',
        'batch.input_config.requests.requests.*.request',
        'generateContentRequest',
        'generate_content_request',
        'request',
      ),
    ],
    models: {
      names: /^gemini/,
      speak: /^gemini/,
      // Google takes chat completions too.
      address: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    },
  },
  'gcp.vertex_ai': {
    hosts: [
      'aiplatform.googleapis.com',
      '*-aiplatform.googleapis.com',
      'aiplatform.*.rep.googleapis.com',
    ],
    equal: REGION,
    keys: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
    accounts: [],
    headers: {
      'x-vertex-ai-llm-request-type': 'text',
      'x-vertex-ai-llm-shared-request-type': 'text',
    },
    families: ['x-vertex-ai'],
  },
}
