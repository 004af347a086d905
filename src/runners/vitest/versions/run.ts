import type { TestModule, Vitest } from 'vitest/node'

/** What a run of Vitest 3.2 has in the place of later methods. */
interface OlderRun {
  configOverride?: { testNamePattern?: RegExp }
}

/** The pattern of the names of tests that a run is narrowed to. */
export function testNamePattern(vitest: Vitest): RegExp | undefined {
  // Not in Vitest 3.2.
  const { getGlobalTestNamePattern } = vitest as Partial<Vitest>
  if (getGlobalTestNamePattern) return getGlobalTestNamePattern.call(vitest)
  const { configOverride } = vitest as unknown as OlderRun
  return configOverride?.testNamePattern ?? vitest.config.testNamePattern
}

/** The path of a test file, relative to the root of its project. */
export function pathOfModule(module: TestModule): string {
  // Vitest 3.2 has it as the name of its task alone.
  return module.relativeModuleId ?? (module as unknown as { task: { name: string } }).task.name
}
