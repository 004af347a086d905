import '../served/app-server.test.ts'
