import * as vitest from 'vitest'
import * as runners from 'vitest/runners'
import * as suite from 'vitest/suite'
import { hooksOfOlder, type OlderModules } from '../versions/older-hooks.ts'
import { setUpPage } from './set-up.ts'

// Vitest 5 has no `vitest/suite`. A page has no scope that its caller would have to be in.
const modules = { ...runners, ...suite } as unknown as OlderModules
await setUpPage(hooksOfOlder(vitest, modules, () => () => {}))
