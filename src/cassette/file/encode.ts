import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { type JsonLayout, writeJson } from '../../json/layout.ts'
import type { Body } from '../../wire/body.ts'
import { type StreamEvent, type StreamLayout, writeEvent } from '../../wire/event-stream.ts'
import { kindOfFile } from '../../prompt/file-kinds.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type { Cassette, Exchange, RecordedExchange, ResponseSummary } from '../cassette.ts'
import { idOfPlace } from '../format/written-exchange.ts'
import type { FileBody, FileLayout } from './bodies.ts'
import { foldRuns } from './runs.ts'
import { Sharing, linesOfText } from './share.ts'
import type { SentResponse, FileExchange, StoredFile, FileRequest, FileResponse } from './stored.ts'

/** The version of the format that this release writes. */
export const FILE_FORMAT = '2.0'

/** A cassette as its file holds it, without what is counted of the whole, and the files of its folder `blobs`. */
export interface EncodedFile {
  stored: StoredFile
  blobs: Map<string, Buffer>
}

/** What a provider made anew in a response: ids and times, in the order in which they stand in it. */
export type RenewedIn = (wire: RecordedExchange['wire']) => readonly JsonValue[]

/**
 * Encodes a cassette for its file.
 *
 * @param schemaPath the path of the schema from the folder of the file
 */
export function encodeFile(
  cassette: Cassette,
  schemaPath: string | undefined,
  renewedIn: RenewedIn,
): EncodedFile {
  const blobs = new Map<string, Buffer>()
  const save = (name: string, bytes: Buffer): void => void blobs.set(name, bytes)
  const sharing = new Sharing(save)
  const exchanges = cassette.exchanges.map((exchange, index) =>
    exchange.wire
      ? storeRecorded(exchange as RecordedExchange, sharing, save, renewedIn)
      : encodeWritten(exchange, index),
  )
  const { conversationId, params, proposedParams, invalid, timestamp, oldestAnswer } = cassette
  return {
    stored: {
      ...(schemaPath === undefined ? {} : { $schema: schemaPath }),
      version: FILE_FORMAT,
      conversation_id: conversationId,
      ...(params ? { params } : {}),
      ...(proposedParams ? { proposed_params: proposedParams } : {}),
      ...(invalid ? { invalid } : {}),
      exchanges,
      timestamp,
      ...(oldestAnswer ? { oldest_answer: oldestAnswer } : {}),
    },
    blobs,
  }
}

type Save = (name: string, bytes: Buffer) => void

function storeRecorded(
  { id, prompt, response, wire }: RecordedExchange,
  sharing: Sharing,
  save: Save,
  renewedIn: RenewedIn,
): FileExchange {
  const asked = wire.request.body.kind === 'json' ? wire.request.body.value : undefined
  const renewed = wire.response ? renewedIn(wire) : []
  const shown = { id, prompt: prompt.text, text: response.text, renewed }
  const text = sharing.open(shown, asked)
  const request = storeRequest(wire.request, sharing, save)
  sharing.answer(asked)
  return {
    id,
    prompt: { text, metadata: prompt.metadata },
    request,
    response: {
      ...storeReadable(response),
      ...(wire.response ? { sent: storeSent(wire.response, renewed, sharing, save) } : {}),
    },
  }
}

function encodeWritten({ id, prompt, response }: Exchange, index: number): FileExchange {
  const { hash, metadata } = prompt
  const { text, ...others } = storeReadable(response)
  const saysElse = others.tool_calls !== undefined || others.error !== undefined
  return {
    ...(id === idOfPlace(index) ? {} : { id }),
    prompt: {
      text: linesOfText(prompt.text),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
      ...(hash ? { hash } : {}),
    },
    response: { ...(text === '' && saysElse ? {} : { text }), ...others },
  }
}

function storeReadable({ text, reasoning, ...others }: ResponseSummary): FileResponse {
  return {
    text: linesOfText(text),
    ...(reasoning === undefined ? {} : { reasoning: linesOfText(reasoning) }),
    ...others,
  }
}

function storeRequest(
  { method, url, headers, after, imported, body }: RecordedExchange['wire']['request'],
  sharing: Sharing,
  save: Save,
): FileRequest {
  return {
    method,
    url: sharing.url(url),
    ...(headers ? { headers } : {}),
    ...(after === undefined ? {} : { after }),
    ...(imported ? { imported } : {}),
    ...storeBody(
      body,
      (value, isWhole) => (isWhole ? sharing.request(value) : sharing.part(value)),
      save,
    ),
  }
}

function storeSent(
  { status, headers, body, cut, aborted }: RecordedExchange['wire']['response'],
  renewed: readonly JsonValue[],
  sharing: Sharing,
  save: Save,
): SentResponse {
  return {
    status,
    headers,
    ...(renewed.length > 0 ? { renewed: [...renewed] } : {}),
    ...storeBody(body, (value) => sharing.response(value), save, true),
    ...(cut ? { cut } : {}),
    ...(aborted === undefined ? {} : { aborted }),
  }
}

type Store = (value: JsonValue, isWhole: boolean) => JsonValue

function storeBody(body: Body, store: Store, save: Save, isSent: boolean = false): FileBody {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'json': {
      const layout = storedLayout(body.layout)
      const asSent = isSent ? undefined : (body.asSent ?? spelledOtherwise(body.value, body.layout))
      const spelled = asSent === undefined ? {} : { as_sent: asSent }
      return { ...layout, ...spelled, body: store(body.value, true) }
    }
    case 'text':
      return { text: linesOfText(body.text) }
    case 'bytes':
      return storeBytes(body.bytes, save)
    case 'form':
      return { form: body.parts.map((part) => store(part, false)) }
    case 'lines':
      return {
        ...streamLayout(body.layout),
        lines: foldRuns(
          body.lines.map((line) => (typeof line === 'string' ? line : store(line, false))),
        ),
      }
    case 'frames':
      return { frames: foldRuns(body.frames.map((frame) => store(frame as JsonValue, false))) }
    case 'events':
      return storeEvents(body.events, body.layout, store)
  }
}

/** The text of a request that no layout of the format spells. */
function spelledOtherwise(value: JsonValue, layout: JsonLayout): string | undefined {
  const text = writeJson(value, layout)
  return writeJson(value, reduced(layout)) === text ? undefined : text
}

function storeBytes(bytes: Uint8Array, save: Save): FileBody {
  const content = Buffer.from(bytes)
  const base64 = content.toString('base64')
  const extension = kindOfFile(base64)?.extension
  if (!extension) return { base64 }
  const file = `${sha256(content)}.${extension}`
  save(file, content)
  return { file }
}

function storeEvents(events: readonly StreamEvent[], layout: StreamLayout, store: Store): FileBody {
  const isNamed = events.some(isNamedByType)
  const items = events.map((event): JsonValue => {
    if (typeof event === 'string') return [event]
    const { event: name, data } = event
    if (typeof data !== 'string' && !isJsonObject(data)) return [writeEvent(event, layout)]
    const stored = typeof data === 'string' ? data : store(data, false)
    const isPlain =
      name === undefined && !(isNamed && isJsonObject(data) && typeof data.type === 'string')
    if (isPlain || (isNamed && isNamedByType(event))) return stored
    return name === undefined ? [writeEvent(event, layout)] : [name, stored]
  })
  return { ...streamLayout(layout), ...(isNamed ? { named: true } : {}), events: foldRuns(items) }
}

function isNamedByType(event: StreamEvent): boolean {
  if (typeof event === 'string' || event.event === undefined) return false
  return isJsonObject(event.data) && event.data.type === event.event
}

function streamLayout({ eol, json }: StreamLayout): FileBody {
  return { ...storedLayout(json), ...(eol === '\n' ? {} : { eol: '\r\n' as const }) }
}

function storedLayout(layout: JsonLayout): { layout?: FileLayout } {
  const { spacedItems, spacedKeys: _, ...others } = reduced(layout)
  const stored = { ...others, ...(spacedItems ? { spaced: true as const } : {}) } as FileLayout
  return Object.keys(stored).length > 0 ? { layout: stored } : {}
}

/** The part of a layout that the format has: other white space is lost. */
function reduced({ indent, spacedItems, spacedKeys, ascii, end }: JsonLayout): JsonLayout {
  return {
    ...(indent && indent <= 8 ? { indent } : {}),
    ...(spacedItems && spacedKeys ? { spacedItems, spacedKeys } : {}),
    ...(ascii ? { ascii } : {}),
    ...(end ? { end } : {}),
  }
}
