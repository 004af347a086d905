import '../websocket/sockets.test.ts'
