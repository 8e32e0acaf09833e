#!/usr/bin/env bash
# Fuzzes for so many seconds: tests/fuzz/run.sh SECONDS [options of libFuzzer]
# Runs on stable: the compiler's own coverage pass does what nightly's -Zsanitizer would. With --target, build scripts
# are compiled without it.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
triple=x86_64-unknown-linux-gnu
level='-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4'
kinds='-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares'
export CARGO_TARGET_DIR=$PWD/target
RUSTFLAGS="$level $kinds" cargo build --quiet --release --target "$triple"
python3 seeds.py ../corpus corpus/seeds
mkdir -p corpus/found artifacts
"target/$triple/release/session" corpus/found corpus/seeds -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=4096 \
    -artifact_prefix=artifacts/ -print_final_stats=1 -verbosity=1 "$@"
