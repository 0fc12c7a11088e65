from evaluator import *

DESCRIPTION = (
    "Can the model tell what keeps an AWS machine from being reached over IPv6, in commands that AWS takes?"
)
TAGS = ["knowledge", "bash", "debug"]
DETERMINISTIC = True

question = """
https works over ipv4 but curl -6 just times out! the instance HAS an ipv6 address, VPC and subnet have their /56 and /64,
nginx listens on [::]:443 too (curl -6 to localhost works on the machine). what I have:

route table rtb-0a1b2c3d (used by the subnet): 10.0.0.0/16 local, 2600:1f18:abcd:1200::/56 local, 0.0.0.0/0 -> igw-0d4e5f60
security group sg-0719283a: in tcp 443 from 0.0.0.0/0, tcp 22 from 203.0.113.7/32; out everything to 0.0.0.0/0
network acl: the default one, allows all ipv4 and ipv6

which aws cli commands do I have to run? https for the whole ipv6 internet, open nothing else please. one bash block with
just what is to be run, no placeholders, I paste it
"""

# Stands in for the AWS command line: keeps what was changed in a file, refuses what AWS refuses.
aws = r"""#!/usr/bin/env python3
import json, re, sys

def fail(text):
    print("An error occurred " + text, file=sys.stderr)
    sys.exit(254)

words, options, name = [], {}, None
for word in sys.argv[1:]:
    if word.startswith("--"):
        name, _, value = word[2:].partition("=")
        options[name] = [value] if value else []
    elif name in (None, "no-cli-pager", "no-paginate", "dry-run"):
        words.append(word)
    else:
        options[name].append(word)
one = {key: " ".join(values) for key, values in options.items()}
if words[:1] != ["ec2"] or len(words) != 2 or "dry-run" in options:
    fail(f"(no such command: {words})")
done = None
if words[1] == "create-route":
    if one.get("route-table-id") != "rtb-0a1b2c3d":
        fail("(InvalidRouteTableID.NotFound)")
    if "destination-ipv6-cidr-block" not in one:
        fail("(RouteAlreadyExists or InvalidParameterValue)")
    if one.get("gateway-id") == "igw-0d4e5f60":
        done = ["route", one["destination-ipv6-cidr-block"]]
elif words[1] == "authorize-security-group-ingress":
    if one.get("group-id") != "sg-0719283a":
        fail("(InvalidGroup.NotFound)")
    if "ip-permissions" not in options:
        fail("(InvalidParameterValue): CIDR block is malformed or InvalidPermission.Duplicate")
    text = one["ip-permissions"]
    try:
        rules = json.loads(text)
        rules = rules if isinstance(rules, list) else [rules]
    except ValueError:
        parts = re.split(r"\s+(?=IpProtocol=)", text)
        rules = [dict(re.findall(r"(IpProtocol|FromPort|ToPort)=([^,\]\s]+)", part)) for part in parts]
        for rule, part in zip(rules, parts):
            rule["Ipv6Ranges"] = [{"CidrIpv6": cidr} for cidr in re.findall(r"CidrIpv6=([0-9a-f:/]+)", part)]
            rule["IpRanges"] = [{"CidrIp": cidr} for cidr in re.findall(r"CidrIp=([0-9./]+)", part)]
    done = []
    for rule in rules:
        ranges = [each["CidrIpv6"] for each in rule.get("Ipv6Ranges", [])]
        ranges += [each["CidrIp"] for each in rule.get("IpRanges", [])]
        done.append(["in", str(rule["IpProtocol"]), str(rule.get("FromPort")), str(rule.get("ToPort")), ranges])
elif words[1] == "authorize-security-group-egress":
    done = None  # answers of an open connection may leave in any case
elif not words[1].startswith("describe-"):
    done = ["other", *words]
if done is not None:
    with open("changes.jsonl", "a") as file:
        file.write(json.dumps(done) + "\n")
print("{}")
"""

wanted = [["route", "::/0"], [["in", "tcp", "443", "443", ["::/0"]]]]


def opens_the_way():
    import json
    import os
    import subprocess

    os.mkdir("bin")
    with open("bin/aws", "w") as file:
        file.write(aws)
    os.chmod("bin/aws", 0o755)
    environment = {**os.environ, "PATH": os.getcwd() + "/bin:" + os.environ["PATH"]}
    ran = subprocess.run(["bash", "fix.sh"], capture_output=True, text=True, timeout=15, env=environment)
    changes = []
    if os.path.exists("changes.jsonl"):
        with open("changes.jsonl") as file:
            changes = [json.loads(line) for line in file]
    return sorted(changes, key=str) == sorted(wanted, key=str), f"{changes}\n{ran.stderr}"


TestAWSIPv6 = (
    question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> MakeFile("fix.sh")
    >> PyEvaluator(opens_the_way)
)

if __name__ == "__main__":
    print(run_test(TestAWSIPv6))
