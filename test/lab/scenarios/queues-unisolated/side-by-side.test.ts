import '../queues/side-by-side.test.ts'
