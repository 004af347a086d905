/// <reference types="vitest-cassette" />
