import '../served/lazy-one.test.ts'
