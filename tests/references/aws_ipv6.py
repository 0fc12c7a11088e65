def nothing(messages):
    return ""


ROUTE = "aws ec2 create-route --route-table-id rtb-0a1b2c3d --destination-ipv6-cidr-block ::/0 --gateway-id igw-0d4e5f60"
RULE = (
    "aws ec2 authorize-security-group-ingress --group-id sg-0719283a \\\n"
    "  --ip-permissions 'IpProtocol=tcp,FromPort=443,ToPort=443,Ipv6Ranges=[{CidrIpv6=::/0}]'"
)


def block(*commands):
    return "```bash\n" + "\n".join(commands) + "\n```"


RIGHT = {
    "TestAWSIPv6": [
        "Two things are missing, a default route for IPv6 and a rule of the security group:\n\n"
        + block(ROUTE, RULE),
        block(
            "#!/bin/bash",
            "set -euo pipefail",
            "SG=sg-0719283a",
            "aws ec2 authorize-security-group-ingress --region us-east-1 --group-id=$SG --ip-permissions \\",
            """  '[{"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "Ipv6Ranges": [{"CidrIpv6": "::/0"}]}]'""",
            "aws ec2 create-route --route-table-id rtb-0a1b2c3d --gateway-id igw-0d4e5f60 \\",
            "  --destination-ipv6-cidr-block '::/0'",
            "aws ec2 describe-route-tables --route-table-ids rtb-0a1b2c3d",
        ),
    ]
}

WRONG = {
    "TestAWSIPv6": [
        nothing,
        block(RULE),  # no way out
        block(ROUTE),
        # --cidr takes IPv4 only
        block(
            ROUTE,
            "aws ec2 authorize-security-group-ingress --group-id sg-0719283a --protocol tcp --port 443 --cidr ::/0",
        ),
        block(ROUTE.replace("--gateway-id igw-0d4e5f60", "--egress-only-internet-gateway-id eigw-1"), RULE),
        block(ROUTE.replace("destination-ipv6-cidr-block", "destination-cidr-block"), RULE),
        block(ROUTE, RULE.replace("tcp,FromPort=443,ToPort=443", "-1")),  # opens everything
        # knows the words, runs nothing
        block(*(f"# {line}" for line in f"{ROUTE}\n{RULE}".split("\n"))),
    ]
}
