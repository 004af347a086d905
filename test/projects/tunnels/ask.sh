# The same with curl, which speaks HTTP/2 with whoever does.
ask() {
  curl -sS -N $CURL_OPTIONS -w '\nover HTTP/%{http_version}\n' -H 'content-type: application/json' -H "authorization: Bearer $OPENAI_API_KEY" \
    https://${OPENAI_HOST:-api.openai.com}/v1/chat/completions -d "{\"model\":\"gpt-5\"$2,\"messages\":[{\"role\":\"user\",\"content\":\"$1\"}]}"
}
ask "$QUESTION"
ask slow ',"stream":true'
