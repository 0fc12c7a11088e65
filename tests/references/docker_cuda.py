def nothing(messages):
    return ""


FILE = """```dockerfile
FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build
WORKDIR /src
COPY stencil.cu .
RUN nvcc -O3 -o stencil stencil.cu

FROM nvidia/cuda:12.4.1-base-ubuntu22.04
COPY --from=build /src/stencil /src/stencil
CMD ["/src/stencil"]
```"""

RIGHT = {
    "TestDockerCuda": [
        "The compiler is only in the `-devel` images. Compile there, and copy the program into a small one:\n\n"
        + FILE,
        """```Dockerfile
# syntax=docker/dockerfile:1
ARG CUDA=12.4.1
FROM nvidia/cuda:${CUDA}-devel-ubuntu22.04 AS builder
WORKDIR /build
COPY stencil.cu ./
# the static runtime is linked by default
RUN set -eux; \\
    nvcc -O3 \\
      -o /build/out/../stencil stencil.cu

FROM --platform=linux/amd64 nvidia/cuda:$CUDA-runtime-ubuntu22.04
WORKDIR /app
COPY --from=builder --chmod=755 /build/stencil ./
ENTRYPOINT ["./stencil"]
```

Run it with `docker run --gpus all`.""",
        # of several blocks the one that is a Dockerfile
        FILE.replace("COPY --from=build /src/stencil", "COPY --chmod=755 --from=build /src/stencil").replace(
            'CMD ["/src/stencil"]', 'ENTRYPOINT ["/src/stencil"]\nCMD ["--help"]'
        )
        + "\n\n```bash\ndocker build -t stencil .\ndocker run --gpus all stencil\n```",
        FILE.replace(" AS build", "")
        .replace("--from=build", "--from=0")
        .replace("/src/stencil /src/stencil", "/src/stencil /usr/local/bin/")
        .replace('CMD ["/src/stencil"]', "CMD stencil"),
    ]
}

WRONG = {
    "TestDockerCuda": [
        nothing,
        FILE.replace("12.4.1-base", "12.4.1-devel"),  # as large as before
        FILE.replace("12.4.1-devel", "12.4.1-runtime"),  # there is no nvcc either
        # names both, but compiles in the small one
        """Use -devel to compile and -base to run:
```dockerfile
FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build
FROM nvidia/cuda:12.4.1-base-ubuntu22.04
WORKDIR /src
COPY stencil.cu .
COPY --from=build /usr/local/cuda/bin/nvcc /usr/local/bin/
RUN nvcc -O3 -o stencil stencil.cu
CMD ["/src/stencil"]
```""",
        FILE.replace("12.4.1-devel", "12.2.0-devel"),
        FILE.replace("/src/stencil /src/stencil", "/stencil /src/stencil"),  # no such file
        FILE.replace("COPY --from=build /src/stencil /src/stencil\n", ""),
        "```dockerfile\nFROM nvidia/cuda:12.4.1-base-ubuntu22.04\nRUN apt-get update && apt-get install -y "
        'nvidia-cuda-toolkit\nCOPY stencil.cu .\nRUN nvcc -O3 -o stencil stencil.cu\nCMD ["/stencil"]\n```',
    ]
}
