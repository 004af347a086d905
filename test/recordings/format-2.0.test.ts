import { testEveryWire, testServerProcess } from './every-wire.ts'

testEveryWire()
testServerProcess()
