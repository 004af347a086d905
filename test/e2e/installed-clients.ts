import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VitestProject } from './vitest-project.ts'

/** The folder of the SDKs of the providers. */
export const CLIENTS_FOLDER: string = fileURLToPath(new URL('../../clients/', import.meta.url))

const installed = join(CLIENTS_FOLDER, 'node_modules')

/** Their versions, by the names of their packages. */
export const { dependencies: CLIENT_VERSIONS } = JSON.parse(
  readFileSync(join(CLIENTS_FOLDER, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string> }

/** Lets a project find the clients, before what else it would find. What its runs keep stays in its own folder. */
export function linkClients({ dir }: VitestProject): void {
  for (const name of Object.keys(CLIENT_VERSIONS)) {
    const link = join(dir, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    // The kind of link that needs no right on Windows.
    symlinkSync(join(installed, name), link, 'junction')
  }
}
