import '../keys-later/later.test.ts'
