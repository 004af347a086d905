import type { TestModule } from 'vitest/node'
import { countOf } from '../../../text/count-of.ts'

/** Vitest's own mark of a file whose types alone are checked: nothing of it runs. */
interface Typed {
  meta: { typecheck?: boolean }
}

/** Names the files that ran without our set-up, so that nothing answered their calls; `undefined` if there are none. */
export function explainWithoutSetUp(modules: readonly TestModule[]): string | undefined {
  const live = modules.filter(
    (module) => !module.meta().isSetUp && hasRun(module) && !isOff(module),
  )
  if (live.length === 0) return undefined
  const [their, them] = live.length === 1 ? ['its', 'it'] : ['their', 'them']
  return [
    `${countOf(live.length, 'file')} ran without the set-up of vitest-cassette, so ${their} calls were neither recorded nor replayed:`,
    ...live.map(({ relativeModuleId, project: { name, config } }) => {
      const pool = config.poolRunner?.name ?? config.pool
      return `  ${relativeModuleId} (${[...(name ? [`project ${name}`] : []), `pool ${pool}`].join(', ')})`
    }),
    'A pool of its own, a runner, or another plugin left the set-up file out. Run them in the pool forks, threads,',
    'vmThreads or vmForks, with the setupFiles that the plugin sets.',
    `If ${them === 'it' ? 'it is' : 'they are'} meant to be live, give ${them} a project whose config has plugins: [cassettes({ mode: 'off' })].`,
  ].join('\n')
}

function hasRun({ task, children }: TestModule & { task?: Typed }): boolean {
  if (task?.meta.typecheck) return false
  return Array.from(children.allTests()).some((test) => {
    const { state } = test.result()
    return state === 'passed' || state === 'failed'
  })
}

function isOff({ project }: TestModule): boolean {
  return project.getProvidedContext()['vitest-cassette']?.config.mode === 'off'
}
