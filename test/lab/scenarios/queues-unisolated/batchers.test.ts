import '../queues-batchers/batchers.test.ts'
