import { basename, dirname, join, relative, resolve } from 'node:path'
import { displayPath, isWithin, pathFrom } from '../config/paths.ts'
import { quoteWord, recording } from '../config/command-line.ts'
import type { TestIdentity } from '../engine/session-options.ts'
import type { Owner } from '../host/owner.ts'
import { existsSync } from '../real/files.ts'
import { layers } from '../intercept/answer/layers.ts'

/** The command of a package, such as another test runner. */
const INSTALLED = /.*[\\/]node_modules[\\/](?:\.bin[\\/])?([\w.-]+)(?:[\\/][^\\/]+)*$/

/** A program as the owner of a cassette. Its project is the working directory, or else the package of the cassette. */
export class ProgramOwner implements Owner {
  readonly root: string
  /** The cassette folder, relative to the root. */
  readonly dir: string
  readonly #path: string
  readonly #recordCommand: string
  readonly #optionsOf: TestIdentity['optionsOf']

  /**
   * @param path the file of the cassette, as the program names it
   * @param recordCommand the command of this package that records it, if one does
   */
  constructor(path: string, recordCommand?: string) {
    const folder = dirname(resolve(path))
    const isHere = isWithin(process.cwd(), folder)
    this.root = isHere ? process.cwd() : packageOf(folder)
    this.dir = relative(this.root, folder) || '.'
    this.#path = path
    this.#recordCommand = recordCommand ?? ownCommand()
    this.#optionsOf = recordCommand === undefined ? 'openCassette' : 'command'
  }

  /** The same wherever the program starts, and on every machine. */
  get id(): string {
    return pathFrom(this.root, resolve(this.#path))
  }

  test(dir: string): TestIdentity {
    return {
      id: this.id,
      cassette: this.#path,
      blobs: join(dir, 'blobs'),
      asked: layers.replay().ASKED_PICTURES,
      recordCommand: this.#recordCommand,
      optionsOf: this.#optionsOf,
    }
  }

  shown(path: string): string {
    return displayPath(process.cwd(), resolve(this.root, path))
  }

  path(): string {
    return basename(this.#path)
  }
}

/** The folder of the package around a folder; the folder itself, where it is in none. */
function packageOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at))
    if (existsSync(join(at, 'package.json'))) return at
  return folder
}

/** The command of this process, in recording mode. */
export function ownCommand([, program]: readonly string[] = process.argv): string {
  if (!program) return recording('node')
  // Also because mocha leaves out of an error what names a file of its own.
  const [, runner] = INSTALLED.exec(program) ?? []
  const command = runner ? `npx ${runner}` : `node ${quoteWord(relative(process.cwd(), program))}`
  return recording(command)
}
