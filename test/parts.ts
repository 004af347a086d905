import { beforeAll } from 'vitest'
import { preloadParts } from '../src/real/load-later.ts'

// After all imports of a test file, which register their parts. A file that needs them earlier awaits this itself.
beforeAll(preloadParts)
