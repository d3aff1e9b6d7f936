"""chromium.py: a headless Chromium, driven by the DevTools protocol over a pipe: no port, no network, no packages of Python."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PATIENCE = 120  # seconds; a slow machine fails no test
CHUNK = 1 << 16


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    """One page. `profile` is an empty directory; everything the browser writes lies there."""

    def __init__(self, profile, width=1280, height=800, dark=False):
        self.number, self.rest, self.events = 0, b"", []
        self.start(profile)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility", "DOM"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        self.screen(width, height)
        self.scheme(dark)

    def start(self, profile):
        home = os.environ.get("HOME", "")
        if not os.path.isdir(profile) or os.listdir(profile) or os.path.realpath(profile) == os.path.realpath(home):
            raise SystemExit(f"{profile}: not an empty directory of its own")
        environment = {**os.environ, "HOME": profile, "TMPDIR": profile, "XDG_CONFIG_HOME": profile, "XDG_CACHE_HOME": profile,
                       "XDG_DATA_HOME": profile, "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        command = [find(), "--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + os.path.join(profile, "profile"), "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--disable-extensions", "--disable-crash-reporter", "--no-default-browser-check", "--hide-scrollbars", "--mute-audio",
                   "--host-resolver-rules=MAP * ~NOTFOUND", "--force-color-profile=srgb"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def place():  # the browser reads descriptor 3 and writes descriptor 4
            spare = [os.dup(to_read), os.dup(to_write)]
            while min(spare) < 5:
                spare = [os.dup(fd) for fd in spare]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.log = open(os.path.join(profile, "log"), "wb")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        preexec_fn=place, pass_fds=(3, 4))
        os.close(to_read)
        os.close(to_write)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, OSError, TimeoutError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ------------------------------------------------------------ the protocol: JSON that ends with a NUL

    def send(self, data):
        while data:
            data = data[os.write(self.to_browser, data[:CHUNK]):]

    def receive(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.from_browser, CHUNK)
            if not data:
                with open(self.log.name, encoding="utf-8", errors="replace") as f:
                    raise EOFError("the browser has ended; it said: " + f.read()[-2000:])
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        self.send(json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def named(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    # ------------------------------------------------------------ the page

    def screen(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def scheme(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("performance.getEntriesByName('shown').length > 0")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + json.dumps(result["exceptionDetails"])[:800])
        return result["result"].get("value")

    def wait(self, expression):
        until = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if self.named("Runtime.exceptionThrown"):
                raise RuntimeError("the page failed: " + json.dumps(self.named("Runtime.exceptionThrown"))[:800])
            if time.monotonic() > until:
                raise TimeoutError("did not come true: " + expression)
            time.sleep(0.02)

    def settle(self):
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def press(self, key, shift=False):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=8 if shift else 0, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())))

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=1)

    def picture(self, path, full=False, clip=None):
        options = {"captureBeyondViewport": True} if full else {}
        if clip:
            options["clip"] = {**clip, "scale": 1}
        elif full:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **options)["data"]))

    def print(self, path):
        data = self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
