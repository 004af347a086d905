import type { Edit } from './edits.ts'
import type { Sent } from './sent.ts'

/** Every single edit of a request's address and method. */
export function editsOfAddress(sent: Sent): Edit[] {
  const edit = (kind: string, place: string, change: (url: URL) => void): Edit => {
    const url = new URL(sent.url)
    change(url)
    return { kind, place, sent: { ...sent, url: url.href } }
  }
  const { searchParams, pathname } = new URL(sent.url)
  const segments = pathname.split('/').slice(1)
  return [
    ...segments.map((segment, at) =>
      edit('another segment', 'path', (url) => {
        url.pathname = `/${segments.with(at, `${segment}2`).join('/')}`
      }),
    ),
    edit('a slash more', 'path', (url) => void (url.pathname += '/')),
    edit('another case', 'path', (url) => void (url.pathname = pathname.toUpperCase())),
    edit('another provider', 'host', (url) => void (url.hostname = 'api.elsewhere.example')),
    edit('a dot behind it', 'host', (url) => void (url.hostname += '.')),
    edit('another region', 'host', (url) => {
      url.hostname = url.hostname.replace('us-east-1', 'eu-west-1').replace('shop.', 'bank.')
    }),
    edit('another port', 'port', (url) => void (url.port = '8443')),
    edit('another scheme', 'scheme', (url) => void (url.protocol = 'http')),
    edit('a fragment', 'fragment', (url) => void (url.hash = 'part')),
    ...[...new Set(searchParams.keys())].flatMap((name) => [
      edit('another value', `?${name}`, (url) =>
        url.searchParams.set(name, `${searchParams.get(name)}2`),
      ),
      edit('removed', `?${name}`, (url) => url.searchParams.delete(name)),
      edit('another name', `?${name}`, (url) => {
        url.searchParams.delete(name)
        url.searchParams.append(`${name}_2`, searchParams.get(name)!)
      }),
    ]),
    ...(searchParams.size > 1
      ? [
          edit(
            'in another order',
            'query',
            (url) =>
              void (url.search = String(new URLSearchParams([...searchParams].toReversed()))),
          ),
        ]
      : []),
    ...['max_tokens', 'keyword', 'page_token', 'author', 'encoding'].map((name) =>
      edit('added', `?${name}`, (url) => url.searchParams.append(name, '10')),
    ),
    ...['key', 'api_key', 'access_token'].map((name) =>
      edit('added', `?${name}`, (url) => url.searchParams.append(name, 'value-of-this-machine')),
    ),
    {
      kind: 'another method',
      place: 'method',
      sent: { ...sent, method: sent.method === 'PUT' ? 'PATCH' : 'PUT' },
    },
  ]
}

/** Headers that every client sends, and each in another form. */
const CLIENT_HEADERS = [
  'authorization',
  'x-api-key',
  'user-agent',
  'accept',
  'x-stainless-retry-count',
  'content-type',
]

/** Every single edit of a request's headers, and those that clients add. */
export function editsOfHeaders(sent: Sent): Edit[] {
  const edit = (kind: string, name: string, headers: Record<string, string>): Edit => ({
    kind,
    place: `header ${name}`,
    sent: { ...sent, headers },
  })
  return [
    ...Object.keys(sent.headers).flatMap((name) => {
      const { [name]: value, ...others } = sent.headers
      return [
        edit('another value', name, { ...others, [name]: `${value}2` }),
        edit('removed', name, others),
      ]
    }),
    ...CLIENT_HEADERS.filter((name) => !(name in sent.headers)).map((name) =>
      edit('added', name, { ...sent.headers, [name]: 'value-of-this-client' }),
    ),
  ]
}
