import { type Providers, RENAMED } from '../provider.ts'

export const HUGGINGFACE_PATHS = { 'hugging-face-text': /\/generate(?:_stream)?\/?$/ }

export const huggingface: Providers = {
  huggingface: {
    hosts: [
      'router.huggingface.co',
      'api-inference.huggingface.co',
      '*.endpoints.huggingface.cloud',
    ],
    equal: RENAMED,
    but: /\.endpoints\.huggingface\.cloud$/,
    keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
    accounts: [{ lend: ['HF_TOKEN', 'HUGGINGFACE_API_KEY', 'HUGGINGFACEHUB_API_KEY'] }],
    paths: HUGGINGFACE_PATHS,
    headers: {
      'x-compute-type': 'text',
      'x-load-model': 'text',
      'x-use-cache': 'text',
      'x-wait-for-model': 'text',
    },
  },
}
