import { shared } from './shared.ts'

/** The environments in which keys are lent, each with the variables that are really set. */
export const environments: WeakMap<object, NodeJS.ProcessEnv> = shared(
  'environments',
  () => new WeakMap<object, NodeJS.ProcessEnv>(),
)

/** The variables that are really set in an environment, without the keys that are lent there. */
export function ownEnvironment<Env extends Readonly<Record<string, string | undefined>>>(
  env: Env,
): Env {
  return (environments.get(env) as Env | undefined) ?? env
}
