# The sandbox image: every language, library and program that the tests call for, and nothing of the
# machine that builds it. `make image` (python -m assay.sandboxes.image build) builds it, with or without
# a container registry; where there is one, a plain `docker build .` or `podman build .` does as well.
#
# Behind a package mirror, image.py hands in the machine's own settings as build secrets. All of them are
# optional, and they are mounted, not copied, so that none stays in a layer:
#   apt.conf sources.list apt-auth.conf   proxy, mirrors and their passwords, for apt
#   pip.conf                              indexes, folders of wheels and their passwords, for pip
#   ca.crt                                certificate authorities, for both
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim
FROM ${BASE_IMAGE}

ENV LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# Languages and tools, without what only a desktop, a debugger of the compiler or a reader of manuals
# would open: Mesa's drivers and their LLVM (chromium draws with its own swiftshader), jmods, rustdoc,
# gcc's link-time optimizer; 700 MB in all. man1 must exist, or the JDK's scripts fail.
RUN --mount=type=secret,id=apt.conf --mount=type=secret,id=sources.list \
    --mount=type=secret,id=apt-auth.conf --mount=type=secret,id=ca.crt \
    set -e; \
    if [ -s /run/secrets/apt.conf ]; then export APT_CONFIG=/run/secrets/apt.conf; fi; \
    for unused in '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*' \
        '/usr/share/icons/Adwaita/*/*' '/usr/lib/*/dri/*' '/usr/lib/*/libLLVM-15*' '/usr/lib/jvm/*/jmods/*' \
        '/usr/lib/python3*/config-*/*.a' '/usr/bin/*-lto-dump-*' '/usr/bin/rustdoc' \
        '/usr/lib/chromium/libVkLayer*' '/usr/lib/gcc/*/lib?san.a' '/usr/lib/gcc/*/lto1' \
        '/usr/lib/*/libcrypto.a' '/usr/lib/*/libssl.a'; \
    do echo "path-exclude=$unused"; done > /etc/dpkg/dpkg.cfg.d/lean; \
    mkdir -p /usr/share/man/man1; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt-get update -q; \
    apt-get install -qy --no-install-recommends \
        bash coreutils bsdextrautils procps file patch git less jq bc xxd tree make ca-certificates \
        python3 python3-pip python3-dev \
        gcc g++ libc6-dev binutils gdb libssl-dev \
        rustc libstd-rust-dev \
        openjdk-17-jdk-headless clojure \
        nodejs \
        sqlite3 \
        chromium chromium-driver fonts-liberation fonts-dejavu-core; \
    apt-get clean; \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/*; \
    find / -xdev -type f -perm /6000 -exec chmod a-s {} +

# Python libraries, importable by the only python3 there is. torch has to be a CPU build: the other one
# brings gigabytes of CUDA, which the constraints forbid. Tried in order: what pip is configured to use,
# PyTorch's own index, a mirror that leaves the +cpu out of the version. What is not kept: the
# libraries' tests, headers and symbol tables, and the bytecode of their parts that nobody imports first.
ARG PYTHON_PACKAGES="numpy==2.4.6 scipy==1.17.1 pillow==13.0.0 numba==0.68.1 jax==0.10.2 matplotlib==3.11.2 chess==1.11.2"
ARG TORCH_VERSION=2.13.0
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN --mount=type=secret,id=pip.conf --mount=type=secret,id=ca.crt \
    set -e; \
    if [ -s /run/secrets/pip.conf ]; then export PIP_CONFIG_FILE=/run/secrets/pip.conf; fi; \
    if [ -s /run/secrets/ca.crt ]; then export PIP_CERT=/run/secrets/ca.crt; fi; \
    export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore; \
    export PIP_PROGRESS_BAR=off PIP_DISABLE_PIP_VERSION_CHECK=1; \
    pip install ${PYTHON_PACKAGES}; \
    printf '%s<0\n' triton nvidia-cublas nvidia-cublas-cu12 nvidia-cudnn-cu12 nvidia-cudnn-cu13 > /tmp/cpu-only; \
    pip install -c /tmp/cpu-only "torch==${TORCH_VERSION}+cpu" \
    || pip install -c /tmp/cpu-only "torch==${TORCH_VERSION}+cpu" --extra-index-url "${TORCH_INDEX}" \
    || pip install -c /tmp/cpu-only "torch==${TORCH_VERSION}" \
    || { echo "no CPU build of torch ${TORCH_VERSION}: pip needs ${TORCH_INDEX}, or a mirror or folder with that wheel" >&2; exit 1; }; \
    rm /tmp/cpu-only; \
    cd /usr/local/lib/python3.11/dist-packages; \
    rm -rf torch/test torch/include torch/share; \
    find torch/bin -type f ! -name torch_shm_manager -delete; \
    find numpy scipy numba jax matplotlib mpl_toolkits mpmath sympy networkx \
        -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +; \
    find sympy networkx fontTools torch/_inductor torch/_dynamo torch/distributed torch/onnx -name '*.pyc' -delete; \
    find jaxlib torch llvmlite -name '*.so' -size +20M -exec strip --strip-unneeded {} +; \
    cd /; python3 -c 'import numpy, scipy.stats, PIL.Image, numba, jax.numpy, torch, chess, matplotlib.pyplot'; \
    rm -rf /root/.cache /root/.config

# What makes a start fast. Java: the archive of classes that every JVM maps at its start also holds those
# of the compiler, since `java Main.java` compiles first. Clojure: the same for its own classes, and no
# second compiler for programs that live half a second. C++: the header that includes all others is
# precompiled for the flags of assay/languages.py. The serial collector and a fixed idea of the memory
# keep a JVM on a large host from starting dozens of threads.
COPY assay/sandboxes/warm /tmp/warm
RUN set -e; \
    jvm=$(dirname "$(dirname "$(readlink -f /usr/bin/javac)")"); \
    cd /tmp/warm; \
    mkdir classes; \
    $jvm/bin/java -XX:DumpLoadedClassList=java.list Main.java > /dev/null; \
    $jvm/bin/javac -J-XX:DumpLoadedClassList=javac.list -d classes Main.java; \
    $jvm/bin/java -XX:DumpLoadedClassList=run.list -cp classes Main > /dev/null; \
    cat java.list javac.list run.list | grep -v -e '^Main' -e 'source: file' -e '@lambda-.* Main' | sort -u > all.list; \
    rm -f $jvm/lib/server/classes_nocoops.jsa; \
    $jvm/bin/java -Xshare:dump -Xlog:disable -Xlog:all=error \
        -XX:SharedClassListFile=all.list -XX:SharedArchiveFile=default.jsa; \
    jars=/usr/share/java/clojure.jar:/usr/share/java/spec.alpha.jar:/usr/share/java/core.specs.alpha.jar; \
    $jvm/bin/java -XX:DumpLoadedClassList=clojure.list -cp $jars clojure.main main.clj > /dev/null; \
    $jvm/bin/java -Xshare:dump -Xlog:disable -Xlog:all=error \
        -XX:SharedClassListFile=clojure.list -XX:SharedArchiveFile=/usr/local/lib/clojure.jsa -cp $jars; \
    mv default.jsa $jvm/lib/server/classes.jsa; \
    flags='-XX:+UseSerialGC -XX:MaxRAM=2g'; \
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$jvm/bin/java" "$flags" > /usr/local/bin/java; \
    printf '#!/bin/sh\nexec %s -J-XX:+UseSerialGC -J-XX:MaxRAM=2g -J-XX:TieredStopAtLevel=1 "$@"\n' "$jvm/bin/javac" > /usr/local/bin/javac; \
    printf '#!/bin/sh\nexec %s %s -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=/usr/local/lib/clojure.jsa -cp %s${CLASSPATH:+:$CLASSPATH} clojure.main "$@"\n' \
        "$jvm/bin/java" "$flags" $jars > /usr/local/bin/clojure; \
    chmod 755 /usr/local/bin/java /usr/local/bin/javac /usr/local/bin/clojure; \
    ln -s clojure /usr/local/bin/clj; \
    header=$(find /usr/include -path '*/bits/stdc++.h'); \
    mkdir $header.gch; \
    g++ -O2 -std=c++20 -pthread -x c++-header $header -o $header.gch/cxx20.gch; \
    rm -rf /tmp/warm /tmp/hsperfdata_root

# Nobody but localhost is known. Programs under test are not root. Of the two folders that are theirs,
# each sandbox has its own, empty, with the owner and mode of these.
COPY assay/sandboxes/warm/hosts /etc/hosts
RUN useradd --uid 1000 --no-create-home --home-dir /home/assay --shell /bin/bash assay \
    && git config --system --add safe.directory '*' \
    && install -d -o assay -g assay -m 0755 /usr/src/app /home/assay
WORKDIR /usr/src/app
