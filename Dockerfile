# docker build -t difflns .
# docker run --rm -v "$PWD:/work" difflns solve -m MAP -i SCEN -o plan.json
FROM debian:bookworm-slim AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev cmake ninja-build pkg-config \
    librandom123-dev libjansson-dev libyaml-dev libzstd-dev && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN cmake -S /source -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O3 -DDIFFLNS_MPI=OFF \
    -DDIFFLNS_TESTS=OFF && cmake --build /build && cmake --install /build --prefix /installed --strip

FROM debian:bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libjansson4 libyaml-0-2 libzstd1 \
    libgomp1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /usr/local
RUN ldconfig && difflns --version
WORKDIR /work
ENTRYPOINT ["difflns"]
