// Puts a fetch there that is not Node's own as it stands, so that every request goes over a socket, and
// counts those that do in a file.
import { appendFileSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'

globalThis.fetch = fetch.bind(globalThis)
subscribe('undici:request:create', () => appendFileSync('requests', '.'))
