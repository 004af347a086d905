import type { WireResponse } from '../../src/wire/message.ts'
import type { Sample } from './samples/sample.ts'
import { chunks, exceptionFrame, stream, streamOfFrames, streamOfLines } from './wire.ts'

/** How the streams of a format travel, and how an error is spelled in the middle of one. */
export interface StreamedForm {
  streamed: (...events: string[]) => WireResponse
  errors: string[]
}

const EVENTS: StreamedForm = {
  streamed: stream,
  errors: [
    'data: {"error":{"message":"Down."}}\n\n',
    'event: error\ndata: {"message":"Down."}\n\n',
    'event: error\ndata: Down.\n\n',
  ],
}

const LINES: StreamedForm = {
  streamed: streamOfLines,
  errors: ['{"error":"Down."}\n', '{"error":{"message":"Down."}}'],
}

const FRAMES: StreamedForm = {
  streamed: streamOfFrames,
  errors: [
    exceptionFrame('throttlingException', { message: 'Down.' }),
    ...chunks({ type: 'error', error: { type: 'overloaded_error', message: 'Down.' } }),
  ],
}

/** The form of a sample's stream. */
export function streamedFormOf({ lines, frames }: Sample): StreamedForm {
  return frames ? FRAMES : lines ? LINES : EVENTS
}
