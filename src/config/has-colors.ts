import type picocolors from 'picocolors'
import { loadPackage } from '../real/load-later.ts'

/** Whether a variable asks for colours; picocolors takes `FORCE_COLOR=0` for a yes. */
export function isForced({ FORCE_COLOR }: NodeJS.ProcessEnv): boolean {
  return FORCE_COLOR !== undefined && !/^(?:0|false)$/i.test(FORCE_COLOR)
}

/** Whether what this process prints has colours. */
export function hasColors(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.FORCE_COLOR !== undefined && !isForced(env)) return false
  // A program that was answered as recorded prints nothing.
  return (loadPackage('picocolors') as typeof picocolors).isColorSupported
}
