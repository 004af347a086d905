import { places } from '../kit/places.ts'
import type { Providers } from '../provider.ts'

export const anthropic: Providers = {
  anthropic: {
    hosts: ['api.anthropic.com'],
    keys: ['ANTHROPIC_API_KEY'],
    keyHeader: 'x-api-key',
    accounts: [{ lend: ['ANTHROPIC_API_KEY'], unless: ['ANTHROPIC_AUTH_TOKEN'] }],
    baseUrls: ['ANTHROPIC_BASE_URL'],
    address: 'https://api.anthropic.com',
    paths: {
      'anthropic-complete': /\/v1\/complete\/?$/,
      'anthropic-messages':
        /\/(?:v\d+\w*|openai|codex)\/messages\/?$|\/publishers\/anthropic\/models\/[^/]+:(?:streamR|r)awPredict$/,
      // OpenAI counts in the same form.
      'token-count': /\/v\d+\w*\/(?:messages\/count_tokens|responses\/input_tokens)\/?$/,
    },
    // Features of an API that are switched on, and its version, which elsewhere stands in the address.
    headers: { 'anthropic-beta': 'set', 'anthropic-version': 'text' },
    places: [
      ['messages.*.content.*.id', 'call-id', /^(?:\w+_)?tool_use$/],
      ['messages.*.content.*.tool_use_id', 'call-id', /^(?:\w+_)?tool_result$/],
      ['messages.*.content.*.caller.tool_id', 'call-id', /^code_execution_/],
      ...places('state', 'container', 'container.id'),
      // Batches.
      ...places('request', 'requests.*.params', 'body', 'modelInput'),
    ],
    models: {
      names: /^claude/,
      speak: /^anthropic/,
      address: 'https://api.anthropic.com/v1/messages',
    },
  },
}
