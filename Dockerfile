# The sandbox image: every language, library and program that the tests call for, and nothing of the
# machine that builds it. `make image` (python -m assay.sandboxes.image build) builds it, with or without
# a container registry; where there is one, a plain `docker build .` or `podman build .` does as well.
#
# Behind a package mirror, image.py hands in the machine's own settings as build secrets. All of them are
# optional, and they are mounted, not copied, so that none stays in a layer:
#   apt.conf sources.list apt-auth.conf   proxy, mirrors and their passwords, for apt
#   pip.conf                              indexes, folders of wheels and their passwords, for pip
#   ca.crt                                certificate authorities, for both
# Debian's trixie-slim (13.6), by its digest: another base is never taken unasked.
ARG BASE_IMAGE=docker.io/library/debian@sha256:d7e12182ce18b85b93007c1dedf31f2d29e01ccf3182cc4017c709b6259bc132
FROM ${BASE_IMAGE}

ENV LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# Languages and tools, in the newest version that Debian 13 has of each: rustc-web is the compiler that
# builds its browsers, OpenJDK 25 the newest with long support. PyTorch, numpy and scipy are Debian's too:
# PyTorch is built for the CPU, signed like all else here, and the same wherever the image is built; pip's for
# the same Python brings gigabytes of CUDA, or needs an index of its own.
#
# Left out is what only a desktop, a graphics card, a debugger of the compiler or a reader of manuals would
# open: Mesa's drivers and their LLVM (the browser draws with its own swiftshader), ROCm, rustdoc, gcc's
# link-time optimizer, tests; the JDK's classes are compressed. man1 must exist, or the JDK's scripts fail.
RUN --mount=type=secret,id=apt.conf --mount=type=secret,id=sources.list \
    --mount=type=secret,id=apt-auth.conf --mount=type=secret,id=ca.crt \
    set -e; \
    if [ -s /run/secrets/apt.conf ]; then export APT_CONFIG=/run/secrets/apt.conf; fi; \
    for unused in '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*' \
        '/usr/share/icons/Adwaita/*/*' '/usr/lib/*/dri/*' '/usr/lib/*/libgallium-*' '/usr/lib/*/libLLVM.so.19*' \
        '/usr/lib/*/libLLVM-17*' '/usr/lib/llvm-17/*' '/usr/lib/*/libamd*' '/usr/lib/*/libhsa-*' \
        '/usr/lib/libtorch-test/*' '/usr/lib/python3/dist-packages/torch/bin/test_*' '/usr/lib/*/libvulkan_*' \
        '/usr/lib/jvm/*/lib/server/classes*.jsa' '/usr/lib/*/nodejs/esbuild-wasm/*' \
        '/usr/lib/python3*/config-*/*.a' '/usr/bin/*-lto-dump-*' '/usr/bin/rustdoc' \
        '/usr/lib/chromium/libVk*' '/usr/lib/chromium/resources.pak' '/usr/lib/chromium/chrome_*' \
        '/usr/lib/gcc/*/lib?san.a' '/usr/lib/gcc/*/libhwasan.a' \
        '/usr/lib/*/libtsan.so*' '/usr/lib/*/libhwasan.so*' \
        '/usr/libexec/gcc/*/lto1' '/usr/lib/*/libcrypto.a' '/usr/lib/*/libssl.a' \
        '/usr/share/go-*/test/*' '/usr/share/go-*/api/*' '/usr/share/go-*/src/cmd/*' '/usr/share/go-*/*_test.go' \
        '/usr/share/go-*/testdata/*' '/usr/lib/go-*/pkg/tool/*/trace' '/usr/lib/go-*/pkg/tool/*/pprof' \
        '/usr/lib/go-*/pkg/tool/*/objdump' '/usr/lib/go-*/pkg/tool/*/dist*' '/usr/lib/go-*/pkg/tool/*/doc' \
        '/usr/lib/go-*/pkg/tool/*/fix' '/usr/lib/go-*/pkg/tool/*/nm' '/usr/lib/go-*/pkg/tool/*/addr2line' \
        '/usr/lib/go-*/pkg/tool/*/covdata' '/usr/lib/go-*/pkg/tool/*/preprofile'; \
    do echo "path-exclude=$unused"; done > /etc/dpkg/dpkg.cfg.d/lean; \
    mkdir -p /usr/share/man/man1; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt-get update -q; \
    apt-get install -qy --no-install-recommends \
        bash coreutils bsdextrautils procps file patch git less jq bc xxd tree make ca-certificates \
        python3 python3-pip python3-dev python3-setuptools \
        python3-torch python3-numpy python3-scipy libopenblas0-pthread python3-dateutil python3-packaging \
        gcc g++ libc6-dev binutils gdb libssl-dev \
        rustc-web \
        openjdk-25-jdk-headless libclojure-java \
        nodejs esbuild \
        golang-1.24-go \
        sqlite3 \
        chromium-headless-shell fonts-liberation fonts-dejavu-core; \
    ln -s chromium-headless-shell /usr/bin/chromium; \
    jvm=$(dirname "$(dirname "$(readlink -f /usr/bin/javac)")"); \
    jlink --module-path $jvm/jmods --add-modules ALL-MODULE-PATH --compress zip-6 --output /tmp/jdk; \
    mv /tmp/jdk/lib/modules $jvm/lib/modules; \
    rm -rf /tmp/jdk $jvm/jmods/* /tmp/hsperfdata_root; \
    strip --strip-debug /usr/lib/rustlib/*/lib/*.rlib; \
    cd /usr/lib/python3/dist-packages; \
    find sympy networkx mpmath scipy fsspec setuptools -type d -name tests -prune -exec rm -rf {} +; \
    find . -name '*.pyc' -delete; \
    apt-get clean; \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/*; \
    find / -xdev -type f -perm /6000 -exec chmod a-s {} +

# The other Python libraries, importable by the only python3 there is, each by its hash. What is not kept:
# their tests and symbol tables, and the bytecode of parts that nobody imports first, here and above.
COPY assay/sandboxes/warm/requirements.txt /tmp/requirements.txt
RUN --mount=type=secret,id=pip.conf --mount=type=secret,id=ca.crt \
    set -e; \
    if [ -s /run/secrets/pip.conf ]; then export PIP_CONFIG_FILE=/run/secrets/pip.conf; fi; \
    if [ -s /run/secrets/ca.crt ]; then export PIP_CERT=/run/secrets/ca.crt; fi; \
    export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore; \
    export PIP_PROGRESS_BAR=off PIP_DISABLE_PIP_VERSION_CHECK=1; \
    pip install --require-hashes --no-deps --no-build-isolation --no-compile -r /tmp/requirements.txt; \
    rm /tmp/requirements.txt; \
    cd /usr/local/lib/python3.13/dist-packages; \
    find . -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +; \
    find jaxlib llvmlite -name '*.so' -size +2M -exec strip --strip-unneeded {} +; \
    cd /; python3 -c 'import numpy, scipy.stats, scipy.optimize, PIL.Image, numba, jax.numpy, torch, chess, matplotlib.pyplot'; \
    rm -rf /root/.cache /root/.config

# What makes a start fast. Java: the archive of classes that every JVM maps at its start also holds those
# of the compiler, since `java Main.java` compiles first. Clojure: the same for its own classes, and no
# second compiler for programs that live half a second. The serial collector and a fixed idea of the memory
# keep a JVM on a large host from starting dozens of threads. Go: its standard library, compiled for the flags
# in go.env, in a cache that need not be writable. (C++'s header of all headers, precompiled, is 175 MB: too
# much for the second that it saves a build.)
COPY assay/sandboxes/warm /tmp/warm
RUN set -e; \
    jvm=$(dirname "$(dirname "$(readlink -f /usr/bin/javac)")"); \
    cd /tmp/warm; \
    mkdir classes; \
    $jvm/bin/java -XX:DumpLoadedClassList=java.list Main.java > /dev/null; \
    $jvm/bin/javac -J-XX:DumpLoadedClassList=javac.list -d classes Main.java; \
    $jvm/bin/java -XX:DumpLoadedClassList=run.list -cp classes Main > /dev/null; \
    cat java.list javac.list run.list | grep -v -e '^Main' -e 'source: file' -e '@lambda-.* Main' | sed 's/ id: [0-9]*$//' | sort -u > all.list; \
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
    for tool in go gofmt; do \
        printf '#!/bin/sh\n. /usr/local/lib/go.env\nexec /usr/lib/go-1.24/bin/%s "$@"\n' $tool > /usr/local/bin/$tool; \
        chmod 755 /usr/local/bin/$tool; \
    done; \
    cp go.env /usr/local/lib/go.env; \
    go build $(go list std | grep -vE '^(debug/(dwarf|macho|pe|plan9obj|gosym)|go/|image/|internal/trace|runtime/(cgo|race|msan|asan|coverage)|testing/internal|net/rpc|vendor/)'); \
    ln -sf /tmp/.go-trim /usr/local/lib/go-cache/trim.txt; \
    rm -rf /tmp/.go-trim /tmp/warm /tmp/hsperfdata_root /root/.config /root/.cache /root/go

# Nobody but localhost is known. Programs under test are not root. Of the two folders that are theirs,
# each sandbox has its own, empty, with the owner and mode of these.
COPY assay/sandboxes/warm/hosts /etc/hosts
RUN useradd --uid 1000 --no-create-home --home-dir /home/assay --shell /bin/bash assay \
    && git config --system --add safe.directory '*' \
    && install -d -o assay -g assay -m 0755 /usr/src/app /home/assay
WORKDIR /usr/src/app
