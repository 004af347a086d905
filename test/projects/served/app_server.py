# An application that passes the address of the test on to its client.
import json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen


class App(BaseHTTPRequestHandler):
    def do_POST(self):
        content = self.rfile.read(int(self.headers["content-length"])).decode()
        test = self.headers["x-vitest-cassette"]
        base = test + "/http/" + os.environ["UPSTREAM_URL"].removeprefix("http://")
        body = {"model": "gpt-5", "messages": [{"role": "user", "content": content}]}
        headers = {"content-type": "application/json", "authorization": "Bearer none"}
        request = Request(base + "/v1/chat/completions", json.dumps(body).encode(), headers)
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
