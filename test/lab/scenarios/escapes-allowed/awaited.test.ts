import '../escapes-awaited/awaited.test.ts'
