from evaluator import *

DESCRIPTION = "Can the model find what is wrong with MQTT in MicroPython: bytes, and a callback set too late?"
TAGS = ["knowledge", "code", "python", "debug"]
DETERMINISTIC = True

question = """
micropython on an esp32, umqtt.simple. It prints  got b'shed/lamp/set' b'on'  but the lamp stays off and shed/lamp/state
never changes! And now that somebody sent a retained message it doesn't even start any more: TypeError: 'NoneType' object
isn't callable. Whole main.py corrected please, otherwise it should do what it does now

import network
import time
from machine import Pin
from umqtt.simple import MQTTClient

lamp = Pin(2, Pin.OUT)

wlan = network.WLAN(network.STA_IF)
wlan.active(True)
wlan.connect("shed", "rake-and-spade")
while not wlan.isconnected():
    time.sleep_ms(200)

def on_message(topic, msg):
    print("got", topic, msg)
    if topic == "shed/lamp/set":
        if msg == "on":
            lamp.value(1)
        elif msg == "off":
            lamp.value(0)
        client.publish("shed/lamp/state", "on" if lamp.value() else "off", True)

client = MQTTClient("shed-1", "192.168.7.2")
client.connect()
client.subscribe("shed/#")
client.set_callback(on_message)

while True:
    client.check_msg()
    time.sleep_ms(100)
"""

# Stands in for the board and the broker: messages come in as bytes, a retained one with the subscription.
board = r"""
import json, os, sys, time, types

def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)

published, naps = [], [0]

def end():
    print("\nSEEN " + json.dumps([published, [pin._value for pin in pins]]), flush=True)
    os._exit(0)

def nap(span=0):
    naps[0] += 1
    if naps[0] > 2000: end()

time.sleep = time.sleep_ms = time.sleep_us = nap
time.ticks_ms = lambda: naps[0] * 100
time.ticks_diff = lambda a, b: a - b
time.ticks_add = lambda a, b: a + b
sys.modules["utime"] = time
pins = []

class Pin:
    IN, OUT, PULL_UP = 0, 1, 2
    def __init__(self, number, mode=None, value=0, **more):
        self._value = value
        pins.append(self)
    def value(self, new=None):
        if new is None: return self._value
        self._value = 1 if new else 0
    __call__ = value
    def on(self): self._value = 1
    def off(self): self._value = 0

class WLAN:
    def __init__(self, mode): self._on = False
    def active(self, on=None): return True
    def connect(self, *names): self._on = True
    def isconnected(self): return self._on
    def status(self, what=None): return 1010
    def ifconfig(self): return ("192.168.7.9",) * 4

class MQTTException(Exception): pass

class MQTTClient:
    def __init__(self, client_id, server, port=0, user=None, password=None, keepalive=0, ssl=None, **more):
        self.cb, self.topics = None, []
        self.incoming = [
            (b"shed/lamp/set", b"off"), None, (b"shed/lamp/set", b"on"), (b"shed/door", b"off"), (b"shed/lamp/set", b"ON"),
            (b"shed/lamp/set", b"off"), None, (b"shed/lamp/set/x", b"on"), (b"shed/lamp/set", b""), (b"shed/lamp/set", b"on"),
        ]
    def set_callback(self, f): self.cb = f
    def set_last_will(self, *will, **more): pass
    def connect(self, clean_session=True): return 0
    def disconnect(self): pass
    def ping(self): pass
    def publish(self, topic, msg, retain=False, qos=0):
        plain = [x.decode() if isinstance(x, (bytes, bytearray)) else x for x in (topic, msg)]
        if not all(isinstance(x, str) for x in plain): raise TypeError("object with buffer protocol required")
        published.append([*plain, bool(retain)])
    def subscribe(self, topic, qos=0):
        if self.cb is None: raise TypeError("'NoneType' object isn't callable")
        topic = topic.decode() if isinstance(topic, bytes) else topic
        self.topics.append(topic)
        if topic in ("shed/#", "#", "shed/lamp/set", "shed/lamp/#"): self.cb(b"shed/lamp/set", b"on")
    def check_msg(self):
        if not self.topics: return nap()
        if not self.incoming: end()
        message = self.incoming.pop(0)
        if message: self.cb(*message)
    def wait_msg(self):
        while self.incoming and self.incoming[0] is None: self.incoming.pop(0)
        self.check_msg()

module("machine", Pin=Pin, unique_id=lambda: b"abcd", reset=end)
module("network", WLAN=WLAN, STA_IF=0, AP_IF=1)
module("umqtt")
module("umqtt.simple", MQTTClient=MQTTClient, MQTTException=MQTTException)
module("umqtt.robust", MQTTClient=MQTTClient)
module("micropython", const=lambda value: value)
module("ubinascii", hexlify=__import__("binascii").hexlify)
exec(compile(open("main.py").read(), "main.py", "exec"), {"__name__": "__main__"})
"""

states = ["on", "off", "on", "on", "off", "off", "on"]
wanted = [[["shed/lamp/state", state, True] for state in states], [1]]


def switches_the_lamp():
    import json
    import subprocess

    ran = subprocess.run(["python3", "-c", board], capture_output=True, text=True, timeout=15)
    last = ran.stdout.strip().split("\n")[-1]
    seen = json.loads(last.removeprefix("SEEN ")) if last.startswith("SEEN ") else None
    return seen == wanted, f"{seen} should be {wanted}\n{ran.stderr}"


TestUPythonMQTT = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python", keep_main=True)
    >> MakeFile("main.py")
    >> PyEvaluator(switches_the_lamp)
)

if __name__ == "__main__":
    print(run_test(TestUPythonMQTT))
