import '../queues/early.test.ts'
