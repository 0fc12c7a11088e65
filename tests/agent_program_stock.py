from evaluator import *

DESCRIPTION = (
    "Does a model work well inside an agent program of somebody else's, on files that differ in form?"
)
TAGS = ["code", "agent"]

program = '''"""A small agent: it runs what the model asks for until a reply calls nothing."""
import json
import os
import subprocess
import sys
import urllib.request

shell = {
    "name": "shell",
    "description": "Run a command with bash in the work directory.",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}
messages = [{"role": "user", "content": sys.argv[1]}]
for _ in range(30):
    asked = {"model": "any", "messages": messages, "tools": [{"type": "function", "function": shell}]}
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps(asked).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    reply = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
    messages.append(reply)
    for call in reply.get("tool_calls") or []:
        try:
            command = json.loads(call["function"]["arguments"])["command"]
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
            said = (done.stdout + done.stderr)[-20000:] or "(no output)"
        except Exception as error:
            said = f"error: {error}"
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": said})
    if not reply.get("tool_calls"):
        print(reply["content"])
        break
'''

files = {
    ".agent.py": program,
    "stock/monday.csv": "item,count\nbolt,120\nnut,80\nwasher,15\nbolt,30\n",
    "stock/tuesday.csv": 'item;count\nbolt;"1.200"\nnut;40\n# washer;500\nhinge;7\n',
    "stock/wednesday.csv": 'count,item\n-20,bolt\n3,Hinge\n"1,000",nut\n,washer\n',
    "stock/NOTES": "Tuesday's clerk writes a thousand as 1.000, Wednesday's as 1,000. A line that begins with # was cancelled.\n"
    "A count that is missing is 0. Returns are negative. Case does not matter in names.\n",
}

question = """In stock/ are three days of deliveries and NOTES. Write total.json: an object with each item's total over the three
days, names in lower case, e.g. {"screw": 12}. Read the files before you decide how."""


def has_the_totals():
    import json

    with open("total.json") as file:
        found = json.load(file)
    wanted = {"bolt": 1330, "nut": 1120, "washer": 15, "hinge": 10}
    return found == wanted, f"total.json has {found}"


TestAgentProgramStock = (
    Files(files)
    >> question
    >> AgentCommand("python3 .agent.py {task}", max_calls=30)
    >> PyEvaluator(has_the_totals)
)

if __name__ == "__main__":
    print(run_test(TestAgentProgramStock))
