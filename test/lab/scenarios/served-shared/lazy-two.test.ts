import '../served/lazy-two.test.ts'
