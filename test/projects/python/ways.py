# Asks a model in one way that takes no proxy, and swallows what goes wrong.
import asyncio, http.client, json, os, socket, sys, urllib.request

way, address = sys.argv[1], sys.argv[2]
host, _, port = address.partition(":")
port = int(port or 443)
path = "/v1/chat/completions"
body = json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]})
headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
raw = "POST %s HTTP/1.1\r\nhost: %s\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (path, host, len(body), body)
url = "http://%s:%d%s" % (host, port, path)

def by_http_client():
    connection = http.client.HTTPConnection(host, port)
    connection.request("POST", path, body, headers)
    return connection.getresponse().read().decode()

def by_urllib():
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(urllib.request.Request(url, body.encode(), headers)).read().decode()

def by_no_proxy():
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
    return urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers)).read().decode()

def by_socket():
    with socket.create_connection((host, port)) as connection:
        connection.sendall(raw.encode())
        return connection.recv(65536).decode()

def by_address():
    connection = socket.socket()
    connection.connect((host, port))
    connection.sendall(raw.encode())
    return connection.recv(65536).decode()

def by_asyncio():
    async def ask():
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(raw.encode())
        return (await reader.read(65536)).decode()
    return asyncio.run(ask())

def by_requests():
    import requests
    session = requests.Session()
    session.trust_env = False
    return session.post(url, body, headers=headers).text

def by_httpx():
    import httpx
    return httpx.Client(trust_env=False).post(url, content=body, headers=headers).text

def by_child():
    import subprocess
    return subprocess.run([sys.executable, __file__, "http_client", address], capture_output=True, text=True).stdout

try:
    answer = globals()["by_" + way]()
    print("refused" if "refused:" in answer else "LIVE" if "Odd: Hello" in answer else answer[:200])
except ImportError as error:
    print("absent:", error)
except Exception as error:
    print("refused:", type(error).__name__, error)
