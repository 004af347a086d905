import '../environments/chat.test.ts'
