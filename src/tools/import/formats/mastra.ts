import { defined } from '../../../providers/fields.ts'
import { bytesOfJson, bytesOfText } from '../bodies.ts'
import {
  Collector,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  readTime,
} from '../collect.ts'
import type { ForeignFile, ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/** Mastra's recorder: bodies are parsed, and streams are cut where the network cut them. */
export const mastra: ForeignFormat = {
  name: 'mastra',
  tools: "Mastra's LLM recorder",
  hint: /"recordings"\s*:\s*\[|"hash"\s*:\s*"[\da-f]{16}",\s*"request"/,

  recognise(file) {
    const data = jsonIn(file)
    const recordings = hasFields(data) ? data.recordings : data
    if (!Array.isArray(recordings)) return false
    const first = firstOf(recordings)
    const isRecording =
      first?.hash !== undefined && hasFields(first.request) && hasFields(first.response)
    if (isRecording) return true
    const isNamed = hasFields(data) && hasFields(data.meta)
    if (recordings.length === 0) return isNamed
    return isNamed && 'its first recording has no hash, request and response'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const data = new ForeignValue(file.name, file.json())
    const recordings = data.isList ? data : data.at('recordings')
    for (const recorded of recordings.items()) addRecorded(recorded, file, collector)
    // Before its files had a head, they were the list alone.
    if (data.isList) return [collector.recording]
    const name = data.at('meta').either('testName', 'name').textIfAny()
    const testFile = data.at('meta', 'testFile').textIfAny()
    return [defined({ ...collector.recording, name, testFile })]
  },
}

function addRecorded(recorded: ForeignValue, file: ForeignFile, collector: Collector): void {
  const request = recorded.at('request')
  const response = recorded.at('response')
  const timings = response.at('chunkTimings')
  const asked = request.at('body')
  const body = bodyOf(asked, file)
  collector.add(
    {
      method: request.at('method').text(),
      url: request.at('url').text(),
      // Of a body that is no JSON, the recorder keeps an empty object.
      body: asked.isObject && asked.fields().length === 0 ? undefined : body,
      place: request,
    },
    () => answerOf(response, file),
    {
      time: readTime(request.at('timestamp')),
      durationMs: timings.isAbsent
        ? undefined
        : timings.items().reduce((sum, timing) => sum + timing.number(), 0),
    },
  )
}

function answerOf(response: ForeignValue, file: ForeignFile): HeldResponse | string {
  const chunks = response.at('chunks')
  const body = chunks.isAbsent
    ? bodyOf(response.at('body'), file)
    : {
        bytes: bytesOfText(
          chunks
            .items()
            .map((chunk) => chunk.text())
            .join(''),
        ),
      }
  if (!body && !response.at('body').isAbsent)
    return 'an answer whose body is in a file that is not there'
  return {
    status: response.at('status').status(),
    headers: foreignHeaders(response.at('headers')),
    body: body?.bytes ?? new Uint8Array(),
    place: response,
  }
}

function bodyOf(body: ForeignValue, file: ForeignFile): HeldBody | undefined {
  if (body.isAbsent) return undefined
  if (body.isText) return { bytes: bytesOfText(body.text()) }
  const name = fileOf(body)
  if (name === undefined) return { bytes: bytesOfJson(body.value), isRespelled: true }
  const bytes = file.beside(name)
  return bytes && { bytes }
}

/** The file that an object names in the place of bytes: it says little else. */
function fileOf(body: ForeignValue): string | undefined {
  if (!body.isObject || body.fields().length > 6) return undefined
  const named = body
    .fields()
    .find(([, { value }]) => typeof value === 'string' && value.endsWith('.bin'))
  return named?.[1].text()
}
