FROM docker.io/library/rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo ./.cargo
COPY src ./src
COPY migrations ./migrations
COPY openapi ./openapi
COPY docs ./docs
COPY examples ./examples
COPY CHANGELOG.md ./
COPY benches ./benches
COPY http-tests ./http-tests
RUN cargo build --profile dist --locked --bin playledger

FROM docker.io/library/debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home playledger \
    && install --directory --owner=playledger --mode=0700 /data
COPY --from=build /src/target/dist/playledger /usr/local/bin/playledger
USER 10001
WORKDIR /data
VOLUME /data
ENV PLAYLEDGER_LISTEN=0.0.0.0:8080 \
    PLAYLEDGER_DATABASE=/data/playledger.db \
    PLAYLEDGER_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["playledger", "health"]
ENTRYPOINT ["playledger"]
