FROM docker.io/library/rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo ./.cargo
COPY src/core/Cargo.toml src/core/Cargo.toml
COPY src/macros/Cargo.toml src/macros/Cargo.toml
# The libraries, with empty sources in the place of ours: this step is done again only if one of them changes.
RUN mkdir -p benches examples http-tests src/core/benches \
    && sed -n 's/^path = "\(.*\.rs\)"$/\1/p' Cargo.toml | xargs -I{} sh -c 'mkdir -p "$(dirname {})" && echo "fn main() {}" > {}' \
    && echo > src/lib.rs && echo > src/macros/lib.rs && echo > src/core/lib.rs && echo 'fn main() {}' > src/main.rs \
    && cargo build --profile dist --locked --bin playledger; rm -rf src
COPY src ./src
COPY migrations ./migrations
COPY openapi ./openapi
COPY docs ./docs
COPY examples ./examples
COPY CHANGELOG.md ./
COPY benches ./benches
COPY http-tests ./http-tests
# The times of copied files may be older than those of the empty ones.
RUN find src -name '*.rs' -exec touch {} + && cargo build --profile dist --locked --bin playledger

FROM docker.io/library/debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home playledger \
    && install --directory --owner=playledger --mode=0700 /data
COPY --from=build /src/target/dist/playledger /usr/local/bin/playledger
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
