def nothing(messages):
    return ""


EVP = r"""```c
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

/* seal PASSWORD <text */
int main(int argc, char **argv)
{
    unsigned char key[SHA256_DIGEST_LENGTH], tag[SHA_DIGEST_LENGTH];
    unsigned char in[4096], out[4096 + 16];
    static const unsigned char iv[16]; /* CCCrypt takes NULL for zeros */
    unsigned int tag_length = sizeof tag;
    int part = 0, rest = 0;
    size_t n, size, i;

    if (argc != 2) {
        fprintf(stderr, "usage: seal PASSWORD\n");
        return 2;
    }
    n = fread(in, 1, sizeof in, stdin);
    SHA256((const unsigned char *)argv[1], strlen(argv[1]) + 1, key); /* with the NUL, as ever */

    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    /* the comment says 256, but kCCKeySizeAES128 takes half of the key */
    if (!ctx || !EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, key, iv) ||
        !EVP_EncryptUpdate(ctx, out, &part, in, (int)n) || !EVP_EncryptFinal_ex(ctx, out + part, &rest))
        return 1;
    EVP_CIPHER_CTX_free(ctx);
    size = (size_t)part + (size_t)rest;

    HMAC(EVP_sha1(), argv[1], (int)strlen(argv[1]), out, n, tag, &tag_length); /* n, not size */
    for (i = 0; i < size; i++)
        printf("%x", out[i]); /* loses leading zeros */
    printf("\n");
    for (i = 0; i < sizeof tag; i++)
        printf("%02x", tag[i]);
    printf("\n");
    return 0;
}
```"""

BY_HAND = r"""OpenSSL's low level AES, and a HMAC written out:

```c
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

static void hmac_sha1(const char *pw, const unsigned char *text, size_t n, unsigned char tag[20])
{
    unsigned char block[64] = {0}, pad[64 + 4112], inner[64 + 20];
    size_t len = strlen(pw);
    if (len > 64) SHA1((const unsigned char *)pw, len, block);
    else memcpy(block, pw, len);
    for (int i = 0; i < 64; i++) { pad[i] = block[i] ^ 0x36; inner[i] = block[i] ^ 0x5c; }
    memcpy(pad + 64, text, n);
    SHA1(pad, 64 + n, inner + 64);
    SHA1(inner, sizeof inner, tag);
}

int main(int argc, char **argv)
{
    unsigned char key[32], iv[16] = {0}, in[4096 + 16], out[4096 + 16], tag[20];
    AES_KEY schedule;
    if (argc != 2) { fputs("usage: seal PASSWORD\n", stderr); return 2; }
    size_t n = fread(in, 1, 4096, stdin), size = (n / 16 + 1) * 16;
    memset(in + n, (int)(size - n), size - n);
    SHA256((unsigned char *)argv[1], strlen(argv[1]) + 1, key);
    AES_set_encrypt_key(key, 128, &schedule);
    AES_cbc_encrypt(in, out, size, &schedule, iv, AES_ENCRYPT);
    hmac_sha1(argv[1], out, n, tag);
    for (size_t i = 0; i < size; i++) printf("%x", out[i]);
    puts("");
    for (int i = 0; i < 20; i++) printf("%02x", tag[i]);
    puts("");
    return 0;
}
```

Build: `gcc -O2 seal.c -lcrypto`"""

RIGHT = {
    "TestRewriteMacCrypto": [
        "I kept the four oddities: the NUL in the key's hash, half of the key, the tag over n bytes, and `%x`.\n\n"
        + EVP,
        BY_HAND,
    ]
}

WRONG = {
    "TestRewriteMacCrypto": [
        nothing,
        EVP.replace('printf("%x", out[i])', 'printf("%02x", out[i])'),
        EVP.replace("strlen(argv[1]) + 1, key", "strlen(argv[1]), key"),
        EVP.replace("EVP_aes_128_cbc", "EVP_aes_256_cbc"),  # believes the comment
        EVP.replace("EVP_aes_128_cbc", "EVP_aes_128_ecb"),
        EVP.replace("out, n, tag", "out, size, tag"),
        EVP.replace("n = fread(in, 1, sizeof in, stdin);", "n = fread(in, 1, sizeof in, stdin) & ~15;"),
        # nothing is ported at all
        "```c\n#include <CommonCrypto/CommonCrypto.h>\n/* EVP_aes_128_cbc, SHA256, HMAC */\nint main(void) { return 0; }\n```",
    ]
}
