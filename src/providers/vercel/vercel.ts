import type { Providers } from '../provider.ts'

export const vercel: Providers = {
  vercel_ai_gateway: {
    hosts: ['ai-gateway.vercel.sh'],
    keys: ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'],
    accounts: [{ lend: ['AI_GATEWAY_API_KEY'], unless: ['VERCEL_OIDC_TOKEN'] }],
    paths: {
      'vercel-embeddings': /\/v\d+\/ai\/embedding-model\/?$/,
      'vercel-gateway': /\/v\d+\/ai\/language-model\/?$/,
    },
    headers: {
      'ai-language-model-id': 'text',
      'ai-language-model-streaming': 'text',
      'ai-model-id': 'text',
    },
    readHeaders: ['ai-language-model-id', 'ai-language-model-streaming', 'ai-model-id'],
    families: ['ai-gateway'],
    places: [['prompt.*.content.*.toolCallId', 'call-id', /^tool-/]],
  },
}
