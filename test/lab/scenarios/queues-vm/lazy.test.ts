import '../queues/lazy.test.ts'
