import { generic } from './generic.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf } from './envelope.ts'
import { providerPaths } from '../provider-paths.ts'

const PATH = providerPaths['openai-media']

/**
 * OpenAI's speech, transcripts, pictures, videos and moderations, which many gateways offer too. Their prompts are
 * single fields, and their answers are no text of a model, so they are read like any unknown format.
 */
export const openaiMedia: Dialect = {
  ...generic,
  name: 'openai-media',

  claims(request) {
    const path = pathOf(request)
    if (request.method !== 'POST' || !PATH.test(path)) return false
    const { model, prompt, input } = bodyOf(request)
    // Azure has the model in the path.
    const named = typeof model === 'string' || path.includes('/deployments/')
    return named || prompt !== undefined || input !== undefined
  },
}
