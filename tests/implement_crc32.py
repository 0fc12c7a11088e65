from evaluator import *

DESCRIPTION = "Can the model write CRC-32 from memory, so that it can be continued?"
TAGS = ["code", "python"]
DETERMINISTIC = True

question = """
I need the usual crc32 (the one zip and png use) in pure python, on a board where zlib and binascii are missing.
crc32(data, start=0) with data as bytes, returns the unsigned number. I feed it piece by piece, so
crc32(b, crc32(a)) has to be the same as crc32(a + b).
"""

test_case, answer = make_python_test(
    [
        ("crc32(b'123456789')", "0xCBF43926"),
        ("crc32(b'')", "0"),
        ("crc32(b'a')", "0xE8B7BE43"),
        ("crc32(bytes(range(256)))", "0x29058C73"),
        ("crc32(bytes(32))", "0x190A55AD"),
        (r"crc32(b'\xff' * 7)", "0xFF41D9ED"),
        ("crc32(b'6789', crc32(b'12345'))", "0xCBF43926"),
        ("crc32(b'', crc32(b'123456789'))", "0xCBF43926"),
        ("crc32(b'9', crc32(b'678', crc32(b'12345', crc32(b''))))", "0xCBF43926"),
        ("crc32(bytearray(b'123456789'))", "0xCBF43926"),
        ("crc32(b'123456789', start=0)", "0xCBF43926"),
    ]
)

libraries = r"(zlib|binascii|gzip|zipfile|crcmod)\b"
uses_a_library = RegexEvaluator(rf"(?m)^\s*(import\s.*\b{libraries}|from\s+{libraries}\s+import)|__import__")

TestImplementCRC32 = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (~uses_a_library & (PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestImplementCRC32))
