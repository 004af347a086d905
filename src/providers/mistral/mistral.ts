import type { Providers } from '../provider.ts'

export const MISTRAL_PATHS = {
  'mistral-conversations': /\/v1\/conversations(?:\/[^/]+(?:\/restart)?)?\/?$/,
  'mistral-fim': /\/fim\/completions\/?$/,
  'mistral-ocr': /\/v\d\/ocr\/?$/,
}

export const mistral: Providers = {
  mistral_ai: {
    hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
    equal: 'two kinds of keys of one service; the body names the model',
    keys: ['MISTRAL_API_KEY'],
    baseUrls: ['MISTRAL_BASE_URL'],
    address: 'https://api.mistral.ai',
    paths: MISTRAL_PATHS,
    // Conversations.
    places: [
      ['conversation_id', 'state'],
      ['inputs.*.tool_call_id', 'call-id', /^function\.(?:call|result)$/, /^function\.result$/],
    ],
  },
}
