def nothing(messages):
    return ""


MAIN = """```python
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
    if topic == b"shed/lamp/set":
        if msg == b"on":
            lamp.value(1)
        elif msg == b"off":
            lamp.value(0)
        client.publish("shed/lamp/state", "on" if lamp.value() else "off", True)

client = MQTTClient("shed-1", "192.168.7.2")
client.set_callback(on_message)
client.connect()
client.subscribe("shed/#")

while True:
    client.check_msg()
    time.sleep_ms(100)
```"""

RIGHT = {
    "TestUPythonMQTT": [
        "Two things: topic and message come as *bytes*, and bytes never equal a str; and `subscribe` may already deliver, "
        "so the callback has to be set before it.\n\n" + MAIN,
        MAIN.replace(
            "    if topic == b", "    topic = topic.decode()\n    msg = msg.decode('utf-8')\n    if topic == "
        )
        .replace('msg == b"', 'msg == "')
        .replace("client.check_msg()\n    time.sleep_ms(100)", "client.wait_msg()")
        .replace("lamp.value(1)", "lamp.on()"),
        MAIN.replace("import network", "from micropython import const\nimport network")
        .replace('if topic == b"shed/lamp/set"', "if topic == TOPIC")
        .replace(
            "lamp = Pin(2, Pin.OUT)", 'LED = const(2)\nTOPIC = b"shed/lamp/set"\nlamp = Pin(LED, Pin.OUT)'
        )
        .replace('"on" if lamp.value() else "off", True', 'b"on" if lamp() else b"off", retain=True'),
    ]
}

WRONG = {
    "TestUPythonMQTT": [
        nothing,
        MAIN.replace('== b"', '== "'),  # the callback alone
        # bytes alone
        "You have to compare with bytes.\n\n"
        + MAIN.replace("client.set_callback(on_message)\n", "", 1).replace(
            'client.subscribe("shed/#")', 'client.subscribe("shed/#")\nclient.set_callback(on_message)'
        ),
        MAIN.replace(
            'topic == b"shed/lamp/set"', 'str(topic) == "shed/lamp/set"'
        ),  # that is "b'shed/lamp/set'"
        MAIN.replace(' == b"shed/lamp/set"', '.startswith(b"shed/lamp/set")'),
        MAIN.replace(
            "        elif", '            client.publish("shed/lamp/state", "on", True)\n        elif'
        ).replace('        client.publish("shed/lamp/state", "on" if lamp.value() else "off", True)\n', ""),
        "```python\n# b'on' is bytes, set_callback before subscribe\nprint('got', b'shed/lamp/set', b'on')\n```",
    ]
}
