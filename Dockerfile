FROM docker.io/library/rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
# The libraries are compiled once for all builds of this machine. The times of copied files may be older than the last
# build, so ours are touched.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    find src -name '*.rs' -exec touch {} + \
    && cargo build --profile dist --locked --bin playledger && cp target/dist/playledger /playledger

FROM docker.io/library/debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home playledger \
    && install --directory --owner=playledger --mode=0700 /data
COPY --from=build /playledger /usr/local/bin/playledger
USER 10001
WORKDIR /data
VOLUME /data
ENV PLAYLEDGER_LISTEN=0.0.0.0:8080 \
    PLAYLEDGER_DATABASE=/data/playledger.db \
    PLAYLEDGER_LOG_FORMAT=json \
    # Memory that is free goes back to the system at once.
    MIMALLOC_PURGE_DELAY=0 \
    MIMALLOC_ARENA_EAGER_COMMIT=0 \
    # `docker stop` kills after 10 seconds.
    PLAYLEDGER_STOP_SECONDS=8
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["playledger", "health"]
ENTRYPOINT ["playledger"]
