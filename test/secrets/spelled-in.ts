import type { Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'

type Spell = (text: string) => string

/** A text as it is, and as it is spelled inside of other formats. */
export const SPELLINGS: Array<[name: string, spell: Spell]> = [
  ['raw', (text) => text],
  ['in JSON', inJson],
  ['in JSON inside of JSON', (text) => inJson(inJson(text))],
  ['in a URL', inUrl],
  ['in a URL inside of a URL', (text) => inUrl(inUrl(text))],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
]

/** The names of the spellings in which a text holds a value. */
export function spelledIn(text: string, value: string): string[] {
  const found = SPELLINGS.slice(0, -1)
    .filter(([, spell]) => text.includes(spell(value)))
    .map(([name]) => name)
  const runs = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []
  const encoded = runs.some((run) => Buffer.from(run, 'base64').includes(value))
  return encoded ? [...found, 'in base64'] : found
}

/** A stream of a chat model that says these pieces one after the other. */
export function bodyOfEvents(pieces: readonly string[]): Body {
  const events = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return readBody(Buffer.from(`${text}data: [DONE]\n\n`), 'text/event-stream')
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
