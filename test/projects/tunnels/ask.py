# Asks twice with nothing but Python's library, at the address of the provider itself: whole, and as a stream.
import json, os, urllib.error, urllib.request

def ask(question, **more):
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": question}], **more}
    request = urllib.request.Request(
        "https://api.openai.com/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    return urllib.request.urlopen(request)

try:
    print(json.load(ask(os.environ["QUESTION"]))["choices"][0]["message"]["content"])
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)["error"]["message"])
for line in ask("slow", stream=True):
    print(line.decode().strip())
