import '../keys-children/children.test.ts'
