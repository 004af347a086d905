import './count-calls.mjs'
