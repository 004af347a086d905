import type { WireRequest } from '../../wire/message.ts'
import { bodyOf, pathOf, readEnvelope, type Envelope } from '../kit/envelope.ts'
import { flatten } from '../fields.ts'

const MODEL = /\/model\/(.+)\/[\w-]+\/?$/

/** Reads provider, model and parameters of a prompt to Bedrock, whose model is in the path. */
export function readBedrockEnvelope(
  request: WireRequest,
  operation: string,
  read: readonly string[],
): Envelope {
  const { provider, parameters } = readEnvelope(request, operation, read)
  const model = bedrockModelOf(request)
  const { model: other } = bodyOf(request)
  return {
    provider,
    operation,
    ...(model === undefined ? {} : { model }),
    parameters: flatten(
      // A model in the body belongs to the vendor's own format.
      typeof other === 'string' ? { model: other, ...parameters } : parameters,
      'inferenceConfig',
    ),
  }
}

/** The model that the path names. */
export function bedrockModelOf(request: WireRequest): string | undefined {
  const [, model] = MODEL.exec(pathOf(request)) ?? []
  if (model === undefined) return undefined
  try {
    return decodeURIComponent(model)
  } catch {
    return model
  }
}
