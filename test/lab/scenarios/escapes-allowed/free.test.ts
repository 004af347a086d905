import '../escapes-awaited/free.test.ts'
