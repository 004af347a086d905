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
  cassette: ReportCassette
  streams: ReportStreams
  failure: ReportFailure
  rehearsal: ReportRehearsal
  texts: SearchTexts
}

/** The names of data files that are not those of what they are of. */
const NAMES: Partial<Record<keyof Received, (key: string | number) => string>> = {
  streams: (id) => `${id}-streams`,
  texts: (file) => `texts-${file}`,
}

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
  waiting.set('index', onIndex)
  Object.assign(globalThis, {
    receiveReport: (name: string, value: unknown) => waiting.get(name)?.(value as never),
  })
}

/** Loads a data file of the report on demand. */
export function load<Kind extends keyof Received>(
  kind: Kind,
  key: string | number,
): Promise<Received[Kind]> {
  const name = NAMES[kind]?.(key) ?? String(key)
  const known = kept.get(name)
  if (known) return known as Promise<Received[Kind]>
  const loaded = loadScript<Received[Kind]>(name)
  // The `Finder` keeps the texts itself.
  if (kind === 'texts') return loaded
  kept.set(name, loaded)
  loaded.catch(() => kept.delete(name))
  if (kept.size > MAX_KEPT) kept.delete([...kept.keys()][0]!)
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

function refuseOthers(url: string): string {
  if (OWN_DATA.test(url)) return url
  throw new TypeError(`${url} is no file of this report`)
}
