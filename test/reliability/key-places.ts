import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { readText, type Body } from '../../src/wire/body.ts'
import { bodyOfEvents } from '../secrets/spelled-in.ts'
import type { Asked } from './places.ts'

const base64 = (text: string | Uint8Array | number[]): string =>
  Buffer.from(text as string).toString('base64')
const hex = (text: string | Uint8Array | number[]): string =>
  Buffer.from(text as string).toString('hex')
const escaped = (text: string, spell: (one: string) => string): string =>
  text.replaceAll(/[a-z]/gi, spell)
const json = (value: unknown): Body => readText(JSON.stringify(value))
const answer = (message: unknown): Asked => ({ answer: json({ choices: [{ message }] }) })
const pieces = (text: string): string[] => text.match(/.{1,9}/g)!
const events = (text: string): Asked => ({ answer: bodyOfEvents(pieces(text)) })

/** How a text with a key can be spelled. */
const ENCODINGS: Record<string, (text: string) => string> = {
  'as it stands': (text) => text,
  'in JSON': (text) => JSON.stringify({ text }),
  'in JSON in JSON': (text) => JSON.stringify({ text: JSON.stringify({ text }) }),
  'in a URL': (text) => `https://acme.io/?q=${encodeURIComponent(text)}`,
  'in a URL in a URL': (text) =>
    `https://acme.io/?u=${encodeURIComponent(encodeURIComponent(text))}`,
  'in percent escapes': (text) => escaped(text, (one) => `%${hex(one)}`),
  'in entities of HTML': (text) => escaped(text, (one) => `&#${one.charCodeAt(0)};`),
  'in hexadecimal entities': (text) => escaped(text, (one) => `&#x${hex(one)};`),
  'in `\\u0073`': (text) => escaped(text, (one) => `\\u00${hex(one)}`),
  'in `\\u{73}`': (text) => escaped(text, (one) => `\\u{${hex(one)}}`),
  'in `\\x73`': (text) => escaped(text, (one) => `\\x${hex(one)}`),
  'in octal escapes': (text) => escaped(text, (one) => `\\${one.charCodeAt(0).toString(8)}`),
  'in base64': base64,
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in base64 with line breaks': (text) => base64(text).replaceAll(/.{76}/g, '$&\n'),
  'in base64 twice': (text) => base64(base64(text)),
  'in base64 three times': (text) => base64(base64(base64(text))),
  'in hexadecimal digits': hex,
  'in hexadecimal digits, spaced': (text) => hex(text).replaceAll(/../g, '$& '),
  'in hexadecimal digits twice': (text) => hex(hex(text)),
  'in UTF-16, base64': (text) => base64(Buffer.from(text, 'utf16le')),
  'in UTF-16, hexadecimal digits': (text) => hex(Buffer.from(text, 'utf16le')),
  'in a list of bytes': (text) => `[${[...Buffer.from(text)].join(', ')}]`,
  'in a `Buffer` in JSON': (text) => JSON.stringify(Buffer.from(text)),
  'in gzip, base64': (text) => base64(gzipSync(text)),
  'in gzip, hexadecimal digits': (text) => hex(gzipSync(text)),
  'in zlib, base64': (text) => base64(deflateSync(text)),
  'in zlib, hexadecimal digits': (text) => hex(deflateSync(text)),
  'in raw deflate, base64': (text) => base64(deflateRawSync(text)),
  'in brotli, base64': (text) => base64(brotliCompressSync(text)),
  'in a `Uint8Array` in JSON': (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  'in `%u0073`': (text) => escaped(text, (one) => `%u00${hex(one)}`),
  'in `\\U00000073`': (text) => escaped(text, (one) => `\\U000000${hex(one)}`),
  'in numbers of C': (text) =>
    Array.from(Buffer.from(text), (byte) => `0x${hex([byte])}`).join(', '),
  'in numbers with spaces': (text) => Buffer.from(text).join(' '),
  'in UTF-32, base64': (text) =>
    base64(Array.from(Buffer.from(text)).flatMap((byte) => [byte, 0, 0, 0])),
  'in gzip, base64 twice': (text) => base64(base64(gzipSync(text))),
  'in full width': (text) =>
    text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  'in Base32': (text) =>
    Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .replaceAll(
        /.{1,5}/g,
        (bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.padEnd(5, '0'), 2)]!,
      ),
  'in bits': (text) =>
    Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join(' '),
  'as `xxd` prints it': (text) =>
    hex(text).replaceAll(
      /.{1,32}/g,
      (line) => `${line.replaceAll(/.{4}/g, '$& ')} ${Buffer.from(line, 'hex').toString()}\n`,
    ),
  'in capitals': (text) => text.toUpperCase(),
  'letter by letter': (text) => Array.from(text).join(' '),
  'with zero-width spaces': (text) => Array.from(text).join('\u200b'),
  'in two lines': (text) => text.replaceAll(/.{20}/g, '$&\n'),
  'in ROT13': (text) =>
    escaped(text, (one) => {
      const [code, base] = [one.charCodeAt(0), one >= 'a' ? 97 : 65]
      return String.fromCharCode(((code - base + 13) % 26) + base)
    }),
  backwards: (text) => Array.from(text).toReversed().join(''),
}

/** Where in an exchange a text can stand. */
const PLACES: Record<string, (text: string) => Asked> = {
  'a prompt': (text) => ({ prompt: text }),
  'an answer': (text) => answer({ content: text }),
  'a key of an object': (text) => answer({ metadata: { [text]: 1 } }),
  'arguments of a tool': (text) =>
    answer({ tool_calls: [{ function: { name: 'a', arguments: JSON.stringify({ text }) } }] }),
  'blocks side by side': (text) =>
    answer({ content: pieces(text).map((one) => ({ type: 'text', text: one })) }),
  'a stream': events,
  'bytes of tokens': (text) =>
    answer({
      logprobs: { content: pieces(text).map((token) => ({ bytes: [...Buffer.from(token)] })) },
    }),
  'bytes that are no text': (text) => ({
    answer: { kind: 'bytes', bytes: Buffer.concat([Buffer.from([255, 254]), Buffer.from(text)]) },
  }),
  'a part of a form': (text) => ({ answer: { kind: 'form', parts: [{ name: 'a', text }] } }),
  'a line of JSON': (text) => ({
    answer: { kind: 'lines', lines: [{ text }], layout: { eol: '\n', json: {} } },
  }),
  'a plain text': (text) => ({ answer: { kind: 'text', text } }),
}

/** Every place as the text stands, and the prompt and the answer in every encoding. */
export const KEY_PLACES: Array<[place: string, at: (text: string) => Asked]> = [
  ...Object.entries(PLACES),
  ...['a prompt', 'an answer'].flatMap((place) =>
    Object.entries(ENCODINGS)
      .slice(1)
      .map(([encoding, encode]): [string, (text: string) => Asked] => [
        `${place}, ${encoding}`,
        (text) => PLACES[place]!(encode(text)),
      ]),
  ),
]

/** A text with a value in it. */
export function textWith(value: string): string {
  return `Dear shop, please use ${value} for all that I buy. Yours, Anna`
}
