import { decodeSpans } from './protobuf.ts'
import type { Sent } from './receiver.ts'

/** What was sent as the file that a user would have of it, and where it was sent. */
export function exportOf(sent: readonly Sent[]): { text: string | undefined; seen: string } {
  const seen = [
    ...Map.groupBy(sent, ({ method, path, type }) => `${method} ${path} ${type.split(';')[0]}`),
  ]
    .map(([key, all]) => `${key} ×${all.length}`)
    .join(', ')
  for (const { is, write } of KINDS) {
    const own = sent.filter(is)
    if (own.length > 0) return { text: write(own), seen }
  }
  return { text: undefined, seen: seen || 'nothing' }
}

const KINDS: ReadonlyArray<{ is(sent: Sent): boolean; write(sent: Sent[]): string }> = [
  {
    // The collector's file exporter writes a line for each request.
    is: ({ path }) => /\/v1\/(?:traces|logs)$/.test(path),
    write: (sent) =>
      lines(
        sent.map(({ type, body }) =>
          type.includes('json') ? JSON.parse(body.toString()) : decodeSpans(body),
        ),
      ),
  },
  {
    is: ({ path, method }) => path.startsWith('/runs') && method !== 'GET',
    write: (sent) => lines(runsOf(sent)),
  },
  {
    is: ({ path }) => path === '/logs3',
    write: (sent) => lines(sent.flatMap(({ body }) => JSON.parse(body.toString()).rows)),
  },
]

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

/** LangSmith's runs as its exports have them: one object each, with what was posted and what was patched later. */
function runsOf(sent: readonly Sent[]): object[] {
  const runs = new Map<string, Record<string, unknown>>()
  const add = (id: string, fields: object): void =>
    void runs.set(id, { ...runs.get(id), ...fields })
  for (const { path, type, body } of sent) {
    if (!path.endsWith('/multipart')) {
      const value = JSON.parse(body.toString())
      for (const run of [value.post, value.patch, value.id ? [value] : []].flatMap(
        (all) => all ?? [],
      ))
        add(run.id, run)
      continue
    }
    const boundary = /boundary=([^;]+)/.exec(type)![1]!.replaceAll('"', '')
    for (const piece of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
      const [head = '', ...rest] = piece.split('\r\n\r\n')
      const [, , id = '', field] = /name="(post|patch)\.([\w-]+)(?:\.(\w+))?"/.exec(head) ?? []
      if (id === '') continue
      const value = JSON.parse(Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString())
      add(id, field === undefined ? value : { [field]: value })
    }
  }
  return [...runs.values()]
}
