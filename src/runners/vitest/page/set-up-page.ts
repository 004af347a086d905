import * as vitest from 'vitest'
import { setUpPage } from './set-up.ts'

// All of Vitest, since a page cannot import what an older release lacks, where mode `off` needs none of it.
await setUpPage(vitest)
