// Built as a file of its own: it loads when a class of fetch is first needed.
import { CassetteError } from '../errors.ts'
import { builtin } from './builtin.ts'

interface Global {
  name: string
  real: unknown
}

const here = globalThis as unknown as Record<string, unknown>

/**
 * A class of fetch as Node has it. Where a test has put another one in its place before Node had loaded it, only Node's
 * own modules have it.
 *
 * @param globals the kept ones. Polyfills among them are real from here on, where this class works with no others
 * @throws CassetteError `internal` where Node hides these
 */
export function classOfNode(name: string, globals: Global[]): unknown {
  const now = here[name]
  const real: any = isOfNode(now) ? now : undiciOfNode()[name]
  if (name === 'Request')
    adopt(globals, /^Abort/, () => {
      return new real('http://localhost/', { signal: new AbortController().signal }) as object
    })
  if (name === 'Response') adopt(globals, /Stream$/, () => new real(new ReadableStream()) as object)
  return real
}

/** Node's clients go on with the streams and signals that were there when they loaded, and refuse all others. */
function adopt(globals: Global[], names: RegExp, tryOut: () => object): void {
  const replaced = globals.filter(({ name, real }) => names.test(name) && here[name] !== real)
  if (replaced.length === 0) return
  try {
    tryOut()
  } catch {
    return
  }
  for (const one of replaced) one.real = here[one.name]
}

/** Whether a class is one of undici, by its source, and this one of the copy in Node, by where it throws. */
function isOfNode(now: unknown): boolean {
  if (!/^class (?![^{]* extends )[^]*webidl\./.test(String(now))) return false
  try {
    return !new (now as new (none: symbol) => object)(Symbol('none'))
  } catch (error) {
    return String((error as Error).stack).includes('node:internal/deps/undici')
  }
}

/** Where the inspector leaves what it found. */
const FOUND = Symbol.for('vitest-cassette.undici')

/**
 * Asks the inspector, which sees the `require` of Node's own modules beside the functions that use it.
 *
 * @throws CassetteError `internal` where it cannot be used
 */
function undiciOfNode(): Record<string, unknown> {
  const own = process as unknown as { [FOUND]?: Record<string, unknown> }
  try {
    const session = new (builtin('node:inspector').Session)()
    session.connect()
    const ask = (method: string, params: object): any => {
      let found: unknown
      session.post(method, params, (_, result) => (found = result))
      return found
    }
    const inside = (objectId: string): any =>
      ask('Runtime.getProperties', { objectId, ownProperties: true })
    const { result } = ask('Runtime.evaluate', { expression: 'process.getBuiltinModule' })
    const [scopes] = inside(result.objectId).internalProperties.filter(
      (one: { name: string }) => one.name === '[[Scopes]]',
    )
    const [closure] = inside(scopes.value.objectId).result
    const { value } = inside(closure.value.objectId).result.find(
      (one: { name: string }) => one.name === 'require',
    )
    ask('Runtime.callFunctionOn', {
      objectId: value.objectId,
      functionDeclaration:
        "function () { process[Symbol.for('vitest-cassette.undici')] = this('internal/deps/undici/undici') }",
    })
    session.disconnect()
    return own[FOUND]!
  } catch (cause) {
    throw new CassetteError(
      'internal',
      "The classes of fetch were replaced before Node had loaded its own, and Node's inspector, which finds these, cannot be used here, so nothing can be answered or recorded.\nAllow it, or read them before they are replaced, in a file that Node loads with --import: void Request",
      { cause },
    )
  } finally {
    delete own[FOUND]
  }
}
