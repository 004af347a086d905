import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const FILES: Record<string, string> = {
  '/': new URL('../shop/index.html', import.meta.url).href,
  // A font of its own: the fonts of another machine look different.
  '/inter.woff2': import.meta.resolve('@fontsource/inter/files/inter-latin-400-normal.woff2'),
}

/** Serves the shop, as `url`, on a port that is free. */
export async function serveShop(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const file = FILES[request.url ?? '']
    if (!file) return void response.writeHead(404).end()
    const type = file.endsWith('.html') ? 'text/html' : 'font/woff2'
    createReadStream(fileURLToPath(file)).pipe(response.setHeader('content-type', type))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
