import type {
  ReportCassette,
  ReportFailure,
  ReportIndex,
  ReportRehearsal,
  ReportStreams,
  SearchTexts,
} from '../data/report-data.ts'

/** The content of data files, by their kind. */
interface Received {
  index: ReportIndex
  cassette: ReportCassette
  streams: ReportStreams
  failure: ReportFailure
  rehearsal: ReportRehearsal
  texts: SearchTexts
}

type Kind = keyof Received

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** The only addresses from which this page loads scripts. */
const OWN_DATA = /^data\/[\w-]+\.js$/

/** The most files that are kept in memory; the oldest one is dropped. */
const MAX_KEPT = 40

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'report',
  { createScriptURL: refuseOthers },
)

const waiting = new Map<string, (value: never) => void>()
const kept = new Map<string, Promise<unknown>>()

/** Defines the global function that data files call. */
export function receive(onIndex: (index: ReportIndex) => void): void {
  Object.assign(globalThis, {
    receiveReport<K extends Kind>(kind: K, value: Received[K]): void {
      if (kind === 'index') return onIndex(value as ReportIndex)
      waiting.get(nameOf(kind, value))?.(value as never)
    },
  })
}

/** Loads a data file of the report on demand. */
export function load<K extends Exclude<Kind, 'index'>>(
  kind: K,
  key: string | number,
): Promise<Received[K]> {
  const names = { cassette: key, streams: `${key}-streams`, failure: key, rehearsal: key }
  const name = { ...names, texts: `texts-${key}` }[kind]
  const known = kept.get(String(name))
  if (known) return known as Promise<Received[K]>
  const loaded = loadScript<Received[K]>(String(name))
  // The `Finder` keeps the texts itself.
  if (kind === 'texts') return loaded
  kept.set(String(name), loaded)
  loaded.catch(() => kept.delete(String(name)))
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  return loaded
}

function loadScript<Value>(name: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const path = `data/${name}.js`
    const fail = (): void => reject(new Error(`${path} is missing, or of another report.`))
    waiting.set(name, resolve)
    script.src = policy ? policy.createScriptURL(path) : refuseOthers(path)
    script.onerror = fail
    script.onload = () => {
      script.remove()
      waiting.delete(name)
      fail()
    }
    document.head.append(script)
  })
}

function nameOf<K extends Kind>(kind: K, value: Received[K]): string {
  const { id, file } = value as { id?: string; file?: number }
  if (kind === 'streams') return `${id}-streams`
  return kind === 'texts' ? `texts-${file}` : String(id)
}

function refuseOthers(url: string): string {
  if (OWN_DATA.test(url)) return url
  throw new TypeError(`${url} is no file of this report`)
}
