import '../own-servers/fakes.test.ts'
