import { suite } from './suite.ts'

suite('one')
