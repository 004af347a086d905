import { suite } from './suite.ts'

suite('two')
