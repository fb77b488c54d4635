# The models of all training sets, and some without a family or more, in calls of ten minutes at most. OUT is where the
# results go: the weights in parts, everything else in one archive.
#
#   folds.sh first, folds.sh second   students of all-mpnet-base-v2, which learns the same examples before each
#   folds.sh taught                   students of a decoder, which spoke before (teach.py)
set -u
export PYTHONUNBUFFERED=1
S=pairs=2,soft=0.85
F=$S,teacher_epochs=1.4,epochs=1.6
D=pairs=2,synth=2,soft=0.6
WITH="--pack data/pack.npz --teacher data/mpnet.0.npz data/mpnet.1.npz"
case $1 in
first) RUNS="full:$S,export=1,teachers=2,teacher_epochs=1.5,epochs=2 fm2:$F,without=fm2+scitail+falke" ;;
second) RUNS="wice_summedits:$F,without=wice+summedits+paws_wiki attributionbench:$F,without=attributionbench fever:$F,without=fever+conjnli" ;;
taught)
	WITH="--pack data/taught.npz --said data/said.npz"
	RUNS="full:$D,export=1,epochs=1.26 wice_summedits_fm2:$D,without=wice+summedits+fm2,epochs=1.11 attributionbench_fever:$D,without=attributionbench+fever,epochs=1.11"
	;;
esac
timeout 590 python3 train.py $WITH --base data/bge.npz --out "$OUT" $RUNS 2>&1 | grep -v -e Warning -e run_backward
[ -f "$OUT/full.bin" ] && split -b 12000000 -d "$OUT/full.bin" "$OUT/full.bin." && rm "$OUT/full.bin"
tar cf "$OUT/$1.tar" -C "$OUT" $(cd "$OUT" && ls | grep -E '(npz|json)$') && rm -f "$OUT"/*.npz "$OUT"/*.json
