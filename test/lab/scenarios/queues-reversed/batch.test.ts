import '../queues/batch.test.ts'
