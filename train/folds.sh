# The model of all training sets, and some without a family or two, in two calls of ten minutes at most: `folds.sh first`, `folds.sh second`.
# OUT is where the results go: the weights in parts, everything else in one archive.
set -u
export PYTHONUNBUFFERED=1
S=pairs=2,soft=0.85
F=$S,teacher_epochs=1.4,epochs=1.6
case $1 in
first) RUNS="full:$S,export=1,teachers=2,teacher_epochs=1.5,epochs=2 fm2:$F,without=fm2+scitail+falke" ;;
second) RUNS="wice_summedits:$F,without=wice+summedits+paws_wiki attributionbench:$F,without=attributionbench fever:$F,without=fever+conjnli" ;;
esac
timeout 590 python3 train.py --pack data/pack.npz --base data/bge.npz --teacher data/mpnet.0.npz data/mpnet.1.npz --out "$OUT" $RUNS 2>&1 | grep -v -e Warning -e run_backward
[ -f "$OUT/full.bin" ] && split -b 12000000 -d "$OUT/full.bin" "$OUT/full.bin." && rm "$OUT/full.bin"
tar cf "$OUT/$1.tar" -C "$OUT" $(cd "$OUT" && ls | grep -E '(npz|json)$') && rm -f "$OUT"/*.npz "$OUT"/*.json
