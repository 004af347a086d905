// All of it, since an import of what an older release lacks fails before that can be said.
import * as vitest from 'vitest'
import { registerHooks } from './runtime.ts'

// Passed to the runtime rather than imported by it, which must not load a second Vitest.
await registerHooks(vitest, (module) => import(/* @vite-ignore */ module))
