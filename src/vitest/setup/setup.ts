import { aroundAll, expect, inject, TestRunner } from 'vitest'
import { registerHooks } from './runtime.ts'

// Passed to the runtime rather than imported by it, which must not load a second Vitest.
await registerHooks({ aroundAll, expect, inject, TestRunner })
