# An application that passes the address of the test on to its client.
import json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen


def base_url(headers):
    own = os.environ["OPENAI_BASE_URL"]
    gateway = headers.get("x-vitest-cassette")
    if gateway is None:
        return own
    origin = gateway.rpartition("/")[0]
    if own.startswith(origin + "/"):
        return gateway + "/" + own.removeprefix(origin + "/").partition("/")[2]
    return gateway + "/" + own.replace("://", "/", 1)


class App(BaseHTTPRequestHandler):
    def do_POST(self):
        content = self.rfile.read(int(self.headers["content-length"])).decode()
        body = {"model": "gpt-5", "messages": [{"role": "user", "content": content}]}
        headers = {"content-type": "application/json", "authorization": "Bearer none"}
        request = Request(base_url(self.headers) + "/chat/completions", json.dumps(body).encode(), headers)
        with urlopen(request) as answer:
            said = json.load(answer)["choices"][0]["message"]["content"].encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), App)
print(server.server_port, flush=True)
server.serve_forever()
