import { testEveryWire } from './every-wire.ts'

testEveryWire()
