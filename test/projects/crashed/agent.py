import json, os, sys, urllib.request

if os.environ.get("CRASH"): sys.exit(3)
body = {"model": "gpt-5", "messages": [{"role": "user", "content": sys.argv[1] + os.environ.get("MORE", "")}]}
headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
