#!/usr/bin/env bash
# CPU seconds and peak memory of a bibliography: Ibid beside pandoc (Debian: apt-get install pandoc), each on one core.
# The data stands beside the checkout, in ../shared/data or where IBID_SHARED_DATA says.
set -euo pipefail
cd "$(dirname "$0")"
data="${IBID_SHARED_DATA:-$PWD/../../../../shared/data}/csl"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
go build -o "$work/bench" .
printf -- '---\nnocite: "@*"\n---\n' > "$work/all.md"

# cpu COMMAND...: user and system seconds, and the most memory in MB where the system tells it
cpu() {
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -f '%U %S %M' -o "$work/time" taskset -c 0 "$@" > "$work/out" 2> "$work/err"
    awk '{printf "%.2f %d", $1 + $2, $3 / 1024}' "$work/time"
  else
    local TIMEFORMAT='%U %S'
    { time taskset -c 0 "$@" > "$work/out" 2> "$work/err"; } 2> "$work/time"
    awk '{printf "%.2f -", $1 + $2}' "$work/time"
  fi
}

printf '%-22s %-16s %12s %12s %8s\n' style items 'ibid s (MB)' 'pandoc s' times
for style in ${STYLES:-apa chicago-author-date}; do
  for items in ${ITEMS:-real1000 mix10000}; do
    read -r ours memory <<< "$(GOMAXPROCS=1 cpu "$work/bench" "$data/styles/$style.csl" "$data/bench/$items.json")"
    theirs=-
    times=-
    if command -v pandoc > /dev/null && { [ "$items" = real1000 ] || [ -n "${ALL:-}" ]; }; then
      read -r theirs _ <<< "$(cpu pandoc --citeproc --csl "$data/styles/$style.csl" --bibliography "$data/bench/$items.json" -f markdown -t plain --wrap=none "$work/all.md")"
      times=$(awk -v a="$ours" -v b="$theirs" 'BEGIN {printf "%.1f", b / (a > 0 ? a : 0.01)}')
    fi
    printf '%-22s %-16s %12s %12s %8s\n' "$style" "$items" "$ours ($memory)" "$theirs" "$times"
  done
done

# How it grows: the first 1,000 and 5,000 of the same file, and all of it. Reading the whole file is part of each.
printf '\n%-22s %12s %12s %12s\n' 'ibid s, mix10000' '1,000' '5,000' '10,000'
for style in ${STYLES:-apa chicago-author-date}; do
  row=()
  for n in 1000 5000 10000; do
    read -r ours _ <<< "$(GOMAXPROCS=1 cpu "$work/bench" "$data/styles/$style.csl" "$data/bench/mix10000.json" "$n")"
    row+=("$ours")
  done
  printf '%-22s %12s %12s %12s\n' "$style" "${row[@]}"
done
