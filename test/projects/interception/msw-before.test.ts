import './msw-tests.ts'
