"""
listener.py full|silent|web|closing FILE: a server on loopback, but not an SSH server; writes its port into FILE.
full: its queue of connections is full, so nobody gets through; silent: takes connections and says nothing;
web: answers as a web server; closing: hangs up at once. Ends after a minute.
"""
import os
import socket
import sys
import threading
import time


def serve(server, kind):
    held = []
    while True:
        client = server.accept()[0]
        if kind == "web":
            client.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" + b"x" * 5000)
        if kind != "silent":
            client.close()
        held.append(client)


def main(kind, path):
    server = socket.create_server(("127.0.0.1", 0), backlog=0 if kind == "full" else 16)
    held = []
    for _ in range(4 if kind == "full" else 0):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(server.getsockname())
        held.append(client)
    if kind != "full":
        threading.Thread(target=serve, args=(server, kind), daemon=True).start()
    with open(path + ".part", "w") as file:
        print(server.getsockname()[1], file=file)
    os.rename(path + ".part", path)
    time.sleep(60)


main(*sys.argv[1:])
