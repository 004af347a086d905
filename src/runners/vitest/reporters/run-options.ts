import { dirname, resolve } from 'node:path'
import type { Vitest } from 'vitest/node'
import { CONFIG_FILE, pathFrom } from '../../../config/paths.ts'

/** The options by which a command in this folder finds the config of a run; none where Vitest finds it by itself. */
export function configChosen({ vite, config: { root } }: Vitest): string[] {
  const { configFile } = vite.config
  if (!configFile) return []
  const [folder, file] = [fromHere(root), fromHere(configFile)]
  if (folder !== '') return dirname(configFile) === resolve(root) ? ['--root', folder] : []
  return CONFIG_FILE.test(file) ? [] : ['--config', file]
}

/** A path as the user would type it. */
export function fromHere(path: string): string {
  return pathFrom(process.cwd(), path)
}
