import '../modes/questions.test.ts'
