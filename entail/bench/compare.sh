#!/usr/bin/env bash
# Pairs for each second of processor time on one core: Ibid beside ONNX Runtime's int8 (npm onnxruntime-node), both with and
# without AMX where the processor has it, and hugot's pure-Go backend, all with the same weights in one run. Then start-up and
# memory of Ibid.
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
# ours FILE ENVIRONMENT..., theirs FILE ENVIRONMENT...
ours() {
  local out="$1"
  shift
  one env GOMAXPROCS=1 "$@" "$work/bench" ibid "$model" > "$out"
}
theirs() {
  local out="$1"
  shift
  [ $ort = yes ] || return 0
  one env "$@" node ort.js "$work/node_modules" "$work/int8.onnx" 1000 $lengths > "$out"
}
tiles=no
if grep -qs amx_int8 /proc/cpuinfo && command -v cc > /dev/null; then
  tiles=yes
  cc -shared -fPIC -o "$work/noamx.so" noamx/noamx.c -ldl
fi

# Ours and theirs by turns, and the best of each, as other programs may disturb any of them.
for round in 1 2; do
  ours "$work/ours.$round"
  theirs "$work/theirs.$round"
  if [ $tiles = yes ]; then
    ours "$work/oursWithout.$round" GODEBUG=cpu.amxint8=off 2> >(grep -v 'unknown cpu feature' >&2) # the runtime does not know it
    theirs "$work/theirsWithout.$round" LD_PRELOAD="$work/noamx.so"
  fi
done
if [ "${HUGOT:-yes}" = yes ]; then GOMAXPROCS=1 one "$work/bench" hugot "$work" > "$work/hugot.1"; fi

# best NAME LENGTH
best() { { cat "$work/$1".* 2> /dev/null || true; } | awk -v n="$2" '$1 == n && $2 > top {top = $2} END {print (top == "" ? "-" : top)}'; }
# share A B: A in percent of B; times A B
share() { awk -v a="$1" -v b="$2" 'BEGIN {print (a > 0 && b > 0 ? sprintf("%.0f %%", 100 * a / b) : "-")}'; }
times() { awk -v a="$1" -v b="$2" 'BEGIN {print (a > 0 && b > 0 ? sprintf("%.0f", a / b) : "-")}'; }
row='%-7s %8s %8s %8s   %10s %10s %8s   %8s %8s\n'
printf "$row" tokens ibid ort share "no AMX" "ort, no" share hugot times
for n in $lengths; do
  a=$(best ours $n) b=$(best theirs $n) c=$(best oursWithout $n) d=$(best theirsWithout $n) e=$(best hugot $n)
  printf "$row" $n $a $b "$(share $a $b)" $c $d "$(share $c $d)" $e "$(times $a $e)"
done
echo "kernels: $(head -qn 1 "$work"/ours*.1 | sed 's/kernel //' | paste -sd ' ')"
"$work/bench" start "$model"
