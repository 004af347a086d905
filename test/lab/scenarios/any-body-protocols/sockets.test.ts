import '../any-body/sockets.test.ts'
