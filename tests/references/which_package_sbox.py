def nothing(messages):
    return ""


def block(*lines):
    return "```\n" + "\n".join(lines) + "\n```"


IMPORT = "from sage.crypto.sbox import SBox"

RIGHT = {
    "TestWhichPackageSBox": [
        "That is the S-box class of SageMath:\n\n" + block("conda install -c conda-forge sage", IMPORT),
        block("$ mamba create -n sage sage python=3.11  # a big one", IMPORT)
        + "\nRun `conda activate sage` between.",
        [
            "It's from SageMath.\n\n```bash\nconda install conda-forge::sage\n```\n```python\nimport sage\n```",
            block("conda install conda-forge::sage", IMPORT),
        ],
    ]
}

WRONG = {
    "TestWhichPackageSBox": [
        nothing,
        block("conda install sbox", "from sbox import SBox"),
        block("pip install pycryptodome", "from Crypto.Cipher import SBox"),
        block("conda install -c conda-forge sage", "from sage.all import *"),  # it is not among them
        # the word stands there, but not what was asked
        "It is not in sage, `from sage.crypto.sbox import SBox` fails.\n\n"
        + block("conda install -c conda-forge cryptosbox", "from cryptosbox import SBox"),
        block("conda install -c conda-forge sage", "from sage import SBox"),
        # every possibility
        block(
            "conda install -c conda-forge sage",
            "conda install sympy",
            IMPORT,
            "from sympy.crypto import SBox",
        ),
    ]
}
