import { testEveryWire } from './every-wire.ts'
import { questions } from './wires.ts'

testEveryWire(questions)
