import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of one run, deleted when the run is over. */
export class TempFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'vitest-cassette-'))

  file(name: string): string {
    return join(this.path, name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
