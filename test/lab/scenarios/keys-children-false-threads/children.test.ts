import '../keys-children-false/children.test.ts'
