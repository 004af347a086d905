import { testEveryWire, testServerProcess } from './every-wire.ts'
import { laterQuestions, newestQuestions, questions } from './wires.ts'

testEveryWire([...questions, ...laterQuestions, ...newestQuestions])
testServerProcess()
