import '../unused/plans.test.ts'
