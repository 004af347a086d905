import { isRecorded, type Exchange } from '../../cassette/cassette.ts'
import type { Body } from '../../wire/body.ts'
import { fieldsOf, type StreamEvent } from '../../wire/event-stream.ts'
import { frameText, type Frame } from '../../wire/amazon-frames.ts'
import type { StreamedEvent } from './data/report-data.ts'
import { showText } from './show-text.ts'

/** The events of a streamed answer in order of arrival; none if it was not streamed. */
export function describeStream(exchange: Exchange): StreamedEvent[] {
  return isRecorded(exchange) ? eventsOf(exchange.wire.response.body) : []
}

function eventsOf(body: Body): StreamedEvent[] {
  switch (body.kind) {
    case 'events':
      return body.events.map(describeEvent)
    case 'lines':
      return body.lines.map((line) => ({
        data: showText(typeof line === 'string' ? line.trimEnd() : JSON.stringify(line)),
      }))
    case 'frames':
      return body.frames.map(describeFrame)
    default:
      return []
  }
}

function describeEvent(event: StreamEvent): StreamedEvent {
  const { event: name, data } =
    typeof event === 'string' ? { data: event.trimEnd(), ...fieldsOf(event) } : event
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return { ...(name === undefined ? {} : { name: showText(name) }), data: showText(text) }
}

function describeFrame(frame: Frame): StreamedEvent {
  if ('bytes' in frame) return { data: frame.bytes }
  const name = 'event' in frame ? frame.event : frame.headers[':exception-type']
  return {
    ...(name === undefined ? {} : { name: showText(name) }),
    data: showText(frameText(frame)),
  }
}
