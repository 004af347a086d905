import '../validity/orders.test.ts'
