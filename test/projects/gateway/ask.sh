# Asks twice with curl, at the address that it is told: whole, and as a stream.
ask() {
  curl -sS -N -H 'content-type: application/json' -H "authorization: Bearer $OPENAI_API_KEY" \
    "$OPENAI_BASE_URL/chat/completions" -d "{\"model\":\"gpt-5\"$2,\"messages\":[{\"role\":\"user\",\"content\":\"$1\"}]}"
}
ask "$QUESTION"
ask slow ',"stream":true'
