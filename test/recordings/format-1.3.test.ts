import { testEveryWire, testServerProcess } from './every-wire.ts'
import { laterQuestions, newestQuestions, questions, unreadQuestions } from './wires.ts'

testEveryWire([...questions, ...laterQuestions, ...newestQuestions, ...unreadQuestions])
testServerProcess()
