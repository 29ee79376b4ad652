# The chores of the project: `just --list`. Each is one command, so `just` itself is not needed.

# List the chores.
default:
    @just --list

# Write openapi/openapi.json from the code.
document:
    PLAYLEDGER_OPENAPI=write cargo test -p playledger --lib the_document_in_the_repository

# Write openapi/examples.json from what all tests send and receive, then the document.
examples:
    rm -f target/recordings
    PLAYLEDGER_RECORDINGS=$PWD/target/recordings cargo test --test http
    PLAYLEDGER_RECORDINGS=$PWD/target/recordings PLAYLEDGER_OPENAPI=examples cargo test --test http document::every
    just document

# Begin openapi/released.json again, for a release.
release-document:
    PLAYLEDGER_OPENAPI=release cargo test --test http document::

# Write docs/settings.md from the flags.
settings:
    PLAYLEDGER_SETTINGS=write cargo test --test http settings::

# Create missing golden files. Delete a file to create it again.
golden:
    PLAYLEDGER_GOLDEN=write cargo test -p playledger-core

# Make the pictures of the README. Needs the tools that `.ci/web` installs.
pictures:
    node .ci/browser/pictures.mjs

# Format Rust and the JavaScript of the page. The page needs the tools that `.ci/web` installs.
format:
    cargo fmt --all
    target/ci/web/node_modules/.bin/prettier --write "src/web/**/*.js" "src/clients/**/*.{ts,js}" ".ci/browser/*.mjs"

# Run the unit tests of one module, for example `just unit service::tests`.
unit module:
    cargo test -p playledger --lib {{module}}

# Compare two builds of the server.
pair old new:
    cargo bench --bench pair -- {{old}} {{new}}

# Check everything, as CI does.
ci:
    .ci/run
