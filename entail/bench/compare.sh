#!/usr/bin/env bash
# Pairs for each second of processor time on one core: Ibid beside ONNX Runtime's int8 (npm onnxruntime-node, with and without
# AMX) and hugot's pure-Go backend, all with the same weights in one run. Then start-up and memory of Ibid.
# MODEL is a file of weights; HUGOT=no leaves the slow one out.
set -euo pipefail
cd "$(dirname "$0")"
model="${MODEL:-../weights/model.bin}"
if [ "$(head -c 8 "$model")" != IBIDENT1 ]; then
  echo "$model holds no weights: nothing to compare" >&2
  exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
lengths="64 128 256"
go build -o "$work/bench" .
"$work/bench" export "$model" "$work"

# one COMMAND...: on one core, where the system can pin it there
one() { if command -v taskset > /dev/null; then taskset -c 0 "$@"; else "$@"; fi; }

ort=no
if command -v npm > /dev/null; then
  (cd "$work" && ONNXRUNTIME_NODE_INSTALL_CUDA=skip npm install --silent --no-audit --no-fund onnxruntime-node@1.30.0 > npm.log 2>&1) && ort=yes || tail -3 "$work/npm.log" >&2
fi
# theirs FILE ENVIRONMENT...: ONNX Runtime
theirs() {
  local out="$1"
  shift
  one env "$@" node ort.js "$work/node_modules" "$work/int8.onnx" 1000 $lengths > "$out"
}

# Ours and theirs by turns, and the best of each, as other programs may disturb any of them.
for round in 1 2 3; do
  GOMAXPROCS=1 one "$work/bench" ibid "$model" > "$work/ibid.$round"
  if [ $ort = yes ]; then
    theirs "$work/amx.$round"
    if grep -qs amx_int8 /proc/cpuinfo && command -v cc > /dev/null; then
      cc -shared -fPIC -o "$work/noamx.so" noamx/noamx.c -ldl
      theirs "$work/vnni.$round" LD_PRELOAD="$work/noamx.so"
    fi
  fi
done
if [ "${HUGOT:-yes}" = yes ]; then GOMAXPROCS=1 one "$work/bench" hugot "$work" > "$work/hugot.1"; fi

# best NAME LENGTH
best() { cat "$work/$1".* 2> /dev/null | awk -v n="$2" '$1 == n && $2 > top {top = $2} END {print (top == "" ? "-" : top)}'; }
printf '%-8s %12s %12s %14s %8s %10s %10s\n' tokens "ibid/s" "ort/s" "ort, no AMX" "hugot/s" "of ort" "x hugot"
for n in $lengths; do
  ours=$(best ibid $n)
  printf '%-8s %12s %12s %14s %8s %10s %10s\n' $n "$ours" "$(best amx $n)" "$(best vnni $n)" "$(best hugot $n)" \
    "$(awk -v a="$ours" -v b="$(best vnni $n)" -v c="$(best amx $n)" 'BEGIN {b = b == "-" ? c : b; print (b > 0 ? sprintf("%.0f %%", 100 * a / b) : "-")}')" \
    "$(awk -v a="$ours" -v b="$(best hugot $n)" 'BEGIN {print (b > 0 ? sprintf("%.0f", a / b) : "-")}')"
done
head -1 "$work/ibid.1"
"$work/bench" start "$model"
