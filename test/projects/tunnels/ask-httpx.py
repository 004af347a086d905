# The same with httpx, as the SDKs of Python do.
import os, httpx

def asked(question, **more):
    return {"model": "gpt-5", "messages": [{"role": "user", "content": question}], **more}

with httpx.Client(headers={"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}) as client:
    url = "https://api.openai.com/v1/chat/completions"
    response = client.post(url, json=asked(os.environ["QUESTION"]))
    print(response.json()["choices"][0]["message"]["content"] if response.is_success else response.text)
    with client.stream("POST", url, json=asked("slow", stream=True)) as stream:
        for line in stream.iter_lines():
            print(line.strip())
