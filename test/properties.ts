import fc from 'fast-check'
import { isAll } from './effort.ts'

// What a property holds for is tried for so long at most, in milliseconds.
if (!isAll) fc.configureGlobal({ interruptAfterTimeLimit: 150 })
