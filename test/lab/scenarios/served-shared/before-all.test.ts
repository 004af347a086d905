import '../served/before-all.test.ts'
