from evaluator import *

DESCRIPTION = "Can the model port C code from Apple's CommonCrypto to Linux, its bugs included?"
TAGS = ["code", "c", "crypto", "translation"]
REQUIRES = ["gcc", "file:/usr/include/openssl/evp.h"]
DETERMINISTIC = True

question = r"""
We have to bring this old tool from macOS to Linux (debian, OpenSSL 3.0, it's built with gcc -O2 seal.c -lcrypto). Yes, I
know that it has bugs, but there are archives full of its output, so the port has to print byte for byte what the mac
version prints, whatever the password and the input (CommonCrypto takes empty ones like any other). Please write me the whole
file.

#include <CommonCrypto/CommonCrypto.h>
#include <stdio.h>
#include <string.h>

/* seal PASSWORD <text: encrypts with AES-256, signs */
int main(int argc, char **argv)
{
    unsigned char key[CC_SHA256_DIGEST_LENGTH], tag[CC_SHA1_DIGEST_LENGTH];
    unsigned char in[4096], out[4096 + kCCBlockSizeAES128];
    size_t n, size = 0, i;

    if (argc != 2) {
        fprintf(stderr, "usage: seal PASSWORD\n");
        return 2;
    }
    n = fread(in, 1, sizeof in, stdin);
    CC_SHA256(argv[1], (CC_LONG)strlen(argv[1]) + 1, key);
    if (CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding, key, kCCKeySizeAES128, NULL,
                in, n, out, sizeof out, &size) != kCCSuccess)
        return 1;
    CCHmac(kCCHmacAlgSHA1, argv[1], strlen(argv[1]), out, n, tag);
    for (i = 0; i < size; i++)
        printf("%x", out[i]);
    printf("\n");
    for (i = 0; i < sizeof tag; i++)
        printf("%02x", tag[i]);
    printf("\n");
    return 0;
}
"""

long_password = "longer than a block of sixty-four bytes, which hmac has to hash first"

# password, input as (what, how often), the first characters of the output and the start of its SHA-256
cases = [
    ("harbour", (b"hello world", 1), "a2e590de41b282a4c5f73d13f1d6b43\n560de09ae7", "0c5e4c77a902f91c"),
    ("harbour", (b"", 1), "d7f695a8b11f386a45291f84c2b3417\nbd73f9b820", "b74361c01ebcc5d7"),
    ("x", (b"0123456789abcdef", 1), "e3b45c27d9d2a2cca9f48542becf7cc3631b39c1", "edea4a270ab35369"),
    ("correct horse", (bytes(range(256)), 1), "8470d586a99c76ed3059bb2950a75fc98d660a6a", "0b38c63cbee759b6"),
    ("", (b"no password", 1), "a567e4f1a2f611873ce5b65e706a81e\nb81ac3c8", "1e8fc4de5fc98a22"),
    (long_password, (b"A", 31), "b06c78eaac0a66f882bb192e2ea7855f672c255b", "0cbf69999772c6fa"),
    ("n\u00fcll", (b"a\0b\0c\n", 1), "ca512c55e67db854c9532dd58bc1917\n58ba966", "388df273deed842d"),
    ("harbour", (b"z", 4096), "bf7a2d6f41c3df5c56d1eb9c558b1ed66dea3f4c", "3e9c1e62984ac720"),
    ("harbour", (b"z", 5000), "bf7a2d6f41c3df5c56d1eb9c558b1ed66dea3f4c", "3e9c1e62984ac720"),
]


def seals_the_same():
    import hashlib
    import subprocess

    built = subprocess.run(
        ["gcc", "-O2", "-w", "-o", "seal", "seal.c", "-lcrypto", "-lm"], capture_output=True, text=True
    )
    if built.returncode:
        return False, built.stderr
    for password, (piece, times), start, digest in cases:
        done = subprocess.run(["./seal", password], input=piece * times, capture_output=True, timeout=10)
        right = done.returncode == 0 and hashlib.sha256(done.stdout).hexdigest().startswith(digest)
        if not right:
            shown = done.stdout[:200].decode("utf-8", "replace")
            return (
                False,
                f"{password!r}, {piece[:20]!r} * {times}: status {done.returncode}\n{shown}\nshould begin\n{start}",
            )
    usage = subprocess.run(["./seal"], input=b"", capture_output=True, timeout=10)
    return usage.returncode == 2 and usage.stdout == b"" and b"usage" in usage.stderr, "without a password"


TestRewriteMacCrypto = (
    question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="c")
    >> MakeFile("seal.c")
    >> PyEvaluator(seals_the_same, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestRewriteMacCrypto))
