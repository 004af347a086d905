import { aroundAll, expect, inject, TestRunner } from 'vitest'
import { registerHooks } from './runtime.ts'

// Handed over rather than imported by the runtime, which must not load a second Vitest.
await registerHooks({ aroundAll, expect, inject, TestRunner })
