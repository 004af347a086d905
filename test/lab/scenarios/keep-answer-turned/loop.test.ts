import '../keep-answer/loop.test.ts'
