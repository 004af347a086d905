import type { aroundAll, expect, inject, TestRunner, vi } from 'vitest'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { OtherCommand } from '../reporters/other-command.ts'

/** The functions of Vitest that the set-up uses, handed over by the set-up file itself. */
export interface VitestHooks {
  aroundAll: typeof aroundAll
  expect: typeof expect
  inject: typeof inject
  vi: typeof vi
  TestRunner: typeof TestRunner
}

/** The configuration that the plugin provides to the workers. */
export interface ProvidedConfig {
  config: ResolvedConfig
  color: boolean
  /** The folder in which Node keeps compiled code, if the plugin has set it for this worker. */
  compiled?: string
  /** The command that runs the project, if it is not `vitest run`. */
  other?: OtherCommand
  /** The origin at which programs are refused for which their test waits. */
  waited?: string
  /** The address at which a test file in workerd opens its cassettes. */
  worker?: string
  /** The name of the project, where a run has several. */
  project?: string
  /** Its root relative to the working directory, if both differ. */
  folder?: string
  /** The options by which a command finds the same config, if Vitest does not find it by itself. */
  run?: string[]
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set on every test that asked a model, and on files that asked outside of their tests. */
    cassette?: CassetteMeta
    /** Set on files: the paths of cassettes that were moved after their tests had ended, by those that the tests name. */
    movedCassettes?: Record<string, string>
    /** What a failed test asked and was answered, as text: Vitest UI, and its HTML and JSON reports show it. */
    llmConversation?: string
  }

  interface ProvidedContext {
    /** A {@link ProvidedConfig}, as text that survives each channel between two processes. */
    'vitest-cassette'?: string
  }
}
