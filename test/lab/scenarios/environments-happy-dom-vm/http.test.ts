import '../environments/http.test.ts'
