import { frames } from '../wire.ts'
import type { Sample } from './sample.ts'

const HOST = 'https://bedrock-agent-runtime.us-east-1.amazonaws.com'
const bytesOf = (text: string): string => Buffer.from(text).toString('base64')

/** A picnic, planned by an agent that waits for the weather. */
export const agentSample: Sample = {
  dialect: 'bedrock-agent',
  url: `${HOST}/agents/A1/agentAliases/B1/sessions/s1/text`,
  body: { inputText: 'Is this lawn dry?', enableTrace: true, sessionState: { files: [] } },
  plain: { output: { text: 'It is dry. Bring a hat.' } },
  frames: true,
  silent: true,
  events: frames(
    ['trace', { trace: { preProcessingTrace: {} } }],
    ['chunk', { bytes: bytesOf('It is ') }],
    ['chunk', { bytes: bytesOf('dry. Bring ') }],
    ['chunk', { bytes: bytesOf('a hat.') }],
  ),
  // Its end is not marked.
  afterEnd: 3,
  completion: { text: 'It is dry. Bring a hat.', toolCalls: [], finishReasons: [] },
}

/** A question to a knowledge base. */
export const knowledgeSample: Sample = {
  dialect: 'bedrock-agent',
  url: `${HOST}/retrieveAndGenerate`,
  body: {
    input: { text: 'Is this lawn dry?' },
    retrieveAndGenerateConfiguration: { type: 'KNOWLEDGE_BASE' },
  },
  plain: { output: { text: 'It is dry.' }, citations: [], sessionId: 's1' },
  completion: { text: 'It is dry.', toolCalls: [], finishReasons: [] },
}
