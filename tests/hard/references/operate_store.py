"""Right and wrong work on operate_store, by a program that reads the files alone."""

from __future__ import annotations

from evaluator import Call, Script

SOLVER = r'''
import glob, hashlib, json, re, zlib
crc = zlib.crc32
u = lambda data: int.from_bytes(data, "little")

def one_bit(data, valid, most):
    """What becomes valid with one bit turned."""
    data = bytearray(data)
    for bit in range(min(len(data), most) * 8):
        data[bit // 8] ^= 1 << bit % 8
        if valid(bytes(data)):
            return bytes(data)
        data[bit // 8] ^= 1 << bit % 8

def fixed(data):
    good = lambda it: crc(it[:-4]) == u(it[-4:])
    return data if good(data) else one_bit(data, good, len(data))

def varint(data, at):
    shift = value = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 40:
            raise IndexError

def to_varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])

manifest = open("store/MANIFEST").read()
listed = {int(n): (int(v), int(first), int(t)) for n, v, first, t in re.findall(r"segment (\d+) version (\d+) first (\d+) time (\d+)", manifest)}
removed = [int(n) for n in re.findall(r"removed (\d+)", manifest)]
segments = {}
nameless = []
for path in sorted(glob.glob("store/*.kst")):
    data = open(path, "rb").read()
    head = fixed(data[:32])
    if head is None or head[:4] != b"KIST":
        nameless.append(data)
        continue
    segments[u(head[6:8])] = dict(version=head[4], output=bool(head[5]), first=u(head[8:16]), time=u(head[16:20]), data=data)
[number] = set(listed) - set(segments) - set(removed)
segments[number] = dict(zip(("version", "first", "time"), listed[number]), output=False, data=nameless[0])
v2 = min(first for version, first, _ in listed.values() if version > 1)
order = sorted(listed)
ends = {n: (listed[order[at + 1]][1] - 1 if at + 1 < len(order) else 1 << 60) for at, n in enumerate(order)}
removed_seqs = {seq for n in removed for seq in range(listed[n][1], ends[n] + 1)}
def name(key, seq):
    return key.lower() if seq < v2 and LOWER else key

def read(number, data, at, crc_given=None):
    """A valid record, or None."""
    seg = segments[number]
    try:
        if data[at] != 0xC5:
            return None
        kind, place = data[at + 1], at + 2
        numbers = []
        for _ in range(7):
            value, place = varint(data, place)
            numbers.append(value)
        batch, klen, vlen, dseq, back, dt, ttl = numbers
        end = place + klen + vlen
        if end + 4 > len(data):
            return None
    except IndexError:
        return None
    seed = b"" if seg["version"] == 1 else number.to_bytes(2, "little") + at.to_bytes(4, "little")
    check = crc(seed + data[at:end])
    if check != (u(data[end : end + 4]) if crc_given is None else crc_given):
        return None
    key, value = data[place : place + klen], data[place + klen : end]
    try:
        value = zlib.decompress(value) if kind & 128 else value
        key = key.decode()
    except (zlib.error, UnicodeDecodeError):
        return None
    seq = seg["first"] + dseq
    minutes = seg["version"] == 1 or (seg["output"] and seg["version"] == 2 and COPY_MINUTES)
    return dict(seq=seq, kind=kind & 127, key=key, value=value, batch=batch, back=seq - back if back else 0, time=seg["time"] + dt,
                ttl=ttl * 60 if minutes else ttl, crc=check, at=at, end=end + 4)

def flipped(number, data, at, crc_given=None):
    seg_end = min(len(data), at + 400)
    window = data[at:seg_end]
    def valid(it):
        found = read(number, data[:at] + it + data[seg_end:], at, crc_given) if False else probe(it)
        return found is not None
    def probe(it):
        # offsets matter only for the checksum
        return read(number, bytes(at) + it, at, crc_given)
    step = bytearray(window)
    for bit in range(len(window) * 8):
        step[bit // 8] ^= 1 << bit % 8
        found = probe(bytes(step))
        if found and (crc_given is None or bit // 8 < found["end"] - 4 - at):
            return found
        step[bit // 8] ^= 1 << bit % 8
    return None

files, gaps = {}, {}
for number, seg in segments.items():
    data, step = seg["data"], 4 if seg["version"] == 1 else 8
    foot = None
    for cut in (len(data) - 32,):
        found = fixed(data[cut:])
        if found and found[:4] == b"TSIK" and u(found[24:28]) == cut:
            foot = found
    limit = u(foot[24:28]) if foot else len(data)
    data = data[:limit]
    seg["foot"] = foot and dict(count=u(foot[4:8]), last=u(foot[8:16]), keys=u(foot[16:20]), crcs=u(foot[20:24]))
    records, holes, at, last = [], [], 32, 0
    at = 32
    while at < limit:
        found = read(number, data, at)
        if found and found["seq"] <= last and not (AGAIN_LAST and found["seq"] == last):
            found = None
        found = found or (flipped(number, data, at) if data[at:at + 24].strip(b"\0") else None)
        if found and found["seq"] < last:
            found = None
        if found is None:
            start = at
            while True:
                at += step
                if at >= limit:
                    break
                found = read(number, data, at)
                if found and (found["seq"] > last or (found["seq"] == last and at % 512 == 0)):
                    break
                found = None
            if data[start:at].strip(b"\0"):
                holes.append((start, min(at, limit)))
            if found is None:
                break
        if records and records[-1]["seq"] == found["seq"]:
            records.pop()
        records.append(found)
        last = found["seq"]
        at = found["end"] + -found["end"] % step
    files[number], gaps[number] = records, holes

proven, source = {}, {}
committed, commits = set(), {}
def prove(record, how):
    seq = record["seq"]
    if seq in proven:
        return False
    record["name"] = name(record["key"], seq)
    proven[seq], source[seq] = record, how
    return True
whole = {}  # values that are known
for number, records in files.items():
    if not segments[number]["output"]:
        for record in records:
            prove(record, "segment")
for number, records in files.items():
    if segments[number]["output"] and COPIES:
        for record in records:
            record["batch"] = 0
            prove(record, "copy")
            committed.add(record["seq"])
            if record["kind"] == 1:
                whole[record["seq"]] = record["value"]
good, hints, lines = [], {}, []
for line in open("replica/feed.txt"):
    if line.startswith("#"):
        right = hashlib.sha256("".join(lines).encode()).hexdigest()[:16] == line[1:].strip()
        for each in map(json.loads, lines):
            if right or TRUSTING:
                good.append(each)
            else:
                hints.setdefault(each["s"], []).append(each)
        lines = []
    else:
        lines.append(line)
def of_line(line):
    return dict(seq=line["s"], kind=2 if line["op"] == "del" else 1, key=line["k"], value=line.get("v", "").encode("latin-1"),
                batch=line.get("b", [0])[0], back=line.get("p", 0), time=line["t"] // 1000, ttl=line.get("ttl", 0))

# lines of wrong sections, and checksums that are known
def built(number, at, line):
    seg, record = segments[number], of_line(line)
    key = record["key"].encode()
    ttl = record["ttl"] // 60 if seg["version"] == 1 else record["ttl"]
    numbers = (record["batch"], len(key), len(record["value"]), record["seq"] - seg["first"],
               record["seq"] - record["back"] if record["back"] else 0, record["time"] - seg["time"], ttl)
    data = bytes([0xC5, record["kind"]]) + b"".join(map(to_varint, numbers)) + key + record["value"]
    seed = b"" if seg["version"] == 1 else number.to_bytes(2, "little") + at.to_bytes(4, "little")
    record["crc"] = crc(seed + data)
    return record, at + len(data)
again = HINTS
while again:
    again = False
    for number, holes in gaps.items():
        seg = segments[number]
        if seg["output"]:
            continue
        own = {seq: r for seq, r in proven.items() if r.get("crc") is not None and source[seq] in ("segment", "line") and listed[number][1] <= seq <= ends[number]}
        known = None
        if seg["foot"] and FOOTER and len(own) == seg["foot"]["count"] - 1:
            known = seg["foot"]["crcs"]
            for record in own.values():
                known ^= record["crc"]
        for hole in holes:
            at, end = hole
            for seq, its in hints.items():
                if seq in proven or not listed[number][1] <= seq <= ends[number]:
                    continue
                for line in its:
                    if line.get("d"):
                        continue
                    try:
                        record, place = built(number, at, line)
                    except OverflowError:
                        continue
                    if record["crc"] in (u(seg["data"][place : place + 4]), known) and place + 4 <= end:
                        again |= prove(record, "line")
            if known is not None:
                found = read(number, seg["data"], at, known) or flipped(number, seg["data"], at, known)
                if found and found["seq"] not in proven:
                    again |= prove(found, "line")
for line in good:
    seq = line["s"]
    prove(of_line(line), "feed")
    committed.add(seq)
    if line["op"] == "put":
        whole[seq] = line["v"].encode("latin-1")
    if "b" in line and BATCHES:
        batch, size = line["b"]
        commits[batch] = size
        committed.add(("batch", batch))
        prove(dict(seq=batch + size, kind=5, key="", value=b"", batch=batch, back=0, time=None, ttl=0), "feed")
for record in proven.values():
    if record["kind"] == 5:
        committed.add(("batch", record["batch"]))
    elif record["batch"] and record["seq"] in committed:
        committed.add(("batch", record["batch"]))
last = max(proven)
names = {crc(r["name"].encode()): r["name"] for r in proven.values() if r["kind"] != 5}
lost = {seq: None for seq in range(1, last + 1) if seq not in proven and seq not in removed_seqs}
raw = open("store/index.kix", "rb").read()
index = {}
for at in range(20, len(raw), 18):
    entry = fixed(raw[at : at + 18])
    if entry:
        index[u(entry[4:8])] = u(entry[:4])
for number, seg in segments.items():
    if seg["output"] and seg["foot"] and len(files[number]) == seg["foot"]["count"] - 1 and OUTPUT:
        rest = seg["foot"]["keys"]
        for record in files[number]:
            rest ^= crc(record["key"].encode())
        for seq, key in index.items():
            if key == rest and seq in removed_seqs and seq not in proven:
                lost[seq] = None
for record in proven.values():
    if record["back"] in lost:
        lost[record["back"]] = record["name"]
for seq in lost:
    if lost[seq] is None and index.get(seq) in names and INDEX:
        lost[seq] = names[index[seq]]
for number, seg in segments.items():
    if seg["output"] or not seg["foot"] or seg["version"] == 1 or not KEYXOR:
        continue
    mine = [seq for seq in lost if listed[number][1] <= seq <= ends[number]]
    unknown = [seq for seq in mine if lost[seq] is None]
    if len(unknown) == 1:
        rest = seg["foot"]["keys"]
        for seq in range(listed[number][1], ends[number] + 1):
            if seq in proven:
                rest ^= crc(proven[seq]["key"].encode())
            elif lost[seq] is not None:
                rest ^= crc(lost[seq].encode())
        if rest in names:
            lost[unknown[0]] = names[rest]

def value(seq):
    if seq in whole:
        return whole[seq]
    record = proven.get(seq)
    if record is None:
        return None
    if record["kind"] == 1:
        return record["value"]
    b, at = varint(record["value"], 0)
    old = value(seq - b)
    if old is None:
        return None
    if record["kind"] == 4:
        return old
    h, at = varint(record["value"], at)
    t, at = varint(record["value"], at)
    return old[:h] + record["value"][at:] + (old[len(old) - t :] if t else b"")

now = max((r["seq"], r["time"]) for r in proven.values() if r["time"] is not None)[1]
per_batch = {}
for record in proven.values():
    if record["batch"] and record["kind"] != 5:
        per_batch.setdefault(record["batch"], []).append(record["seq"])
final = {}
for seq, record in proven.items():
    if record["kind"] == 5:
        continue
    state = "counts"
    if record["batch"] and seq not in committed and ("batch", record["batch"]) not in committed:
        state = "lost" if max(per_batch[record["batch"]]) + 1 in lost and UNDECIDED else "void"
    if state != "void":
        final.setdefault(record["name"], []).append((seq, state))
for seq, key in lost.items():
    if key is not None:
        final.setdefault(key, []).append((seq, "lost"))
out = []
for key in sorted(final, key=str.encode):
    seq, state = max(final[key])
    text = ""
    if state != "lost":
        record = proven[seq]
        if record["kind"] == 2:
            state = "deleted"
        elif record["ttl"] and record["time"] + record["ttl"] <= now:
            state = "expired"
        else:
            found = value(seq)
            state = "lost" if found is None else "live"
            if found is not None:
                text = "\t" + "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in found)
    out.append(f"{key}\t{state}\t{seq}{text}\n")
open("state.tsv", "w").write("".join(out))
open("lost.tsv", "w").write("".join(f"{seq}\t{lost[seq] or '?'}\n" for seq in sorted(lost)))
'''
SETTINGS = dict.fromkeys(
    ("LOWER", "COPY_MINUTES", "AGAIN_LAST", "COPIES", "HINTS", "FOOTER", "BATCHES", "OUTPUT", "INDEX", "KEYXOR", "UNDECIDED"), True
)  # fmt: skip


def _script(**other: bool) -> Script:
    head = "\n".join(f"{name} = {value}" for name, value in (SETTINGS | {"TRUSTING": False} | other).items())
    return Script(
        f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}\n{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"
    )


def right(seed: int) -> list[Script]:
    return [_script()]


def wrong(seed: int) -> list[object]:
    return [
        _script(LOWER=False),
        _script(COPIES=False),
        _script(HINTS=False),
        _script(FOOTER=False),
        _script(OUTPUT=False),
        _script(INDEX=False),
        _script(KEYXOR=False),
        _script(UNDECIDED=False),
        _script(BATCHES=False),
        _script(TRUSTING=True),
        [Call("shell", command="cat FORMAT.md CHANGES.md"), "The store is beyond repair."],
    ]
