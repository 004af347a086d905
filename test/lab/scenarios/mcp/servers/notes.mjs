import '../count-calls.mjs'
