#!/bin/sh
# Makes the pictures of docs/reasoning.md from the sample library. Needs Go, and chromium for the page.
# Usage: docs/pictures/make.sh (from the root of the repository)
set -e
here=docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/ibid" ./cmd/ibid
ibid() { "$work/ibid" -q --data "$work/data" "$@"; }
ibid ingest examples/library
ibid argue "The cable of 1858 carried 732 messages" --to svg -o "$here/argument.svg"
ibid research start "the messages of the cable of 1858" --depth moderate > /dev/null
ibid research export --to html --style academic -o "$work/dossier.html"
# The first statements and the contradictions are opened, as a reader would.
sed -e '0,/<details id="q1-1"/s//<details open id="q1-1"/' -e 's/<details><summary><span class="disputed">/<details open><summary><span class="disputed">/' "$work/dossier.html" > "$work/open.html"
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync \
  --user-data-dir="$work/chromium" --hide-scrollbars --force-device-scale-factor=1 --window-size=860,2300 --screenshot="$work/dossier.png" "file://$work/open.html" 2> /dev/null
cp "$work/dossier.png" "$here/dossier.png"
