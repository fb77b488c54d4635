# The model of all training sets, and models without some families, in two calls of ten minutes at most.
#
#   folds.sh first, folds.sh second   train; what each says of what it had not seen goes to OUT as soon as it is done
#   folds.sh fetch NAME               its weights go to OUT, in parts
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
case $1 in
first) WITHIN=568 RUNS="full:epochs=4.5 wice_summedits:without=wice+summedits,epochs=3.3" ;;
second) WITHIN=447 RUNS="fm2_attributionbench:without=fm2+attributionbench,epochs=3 fever:without=fever,epochs=2.6" ;;
fetch) exec split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin." ;;
esac
mkdir -p $KEPT
: > $KEPT/log
for run in $RUNS; do
	name=${run%%:*}
	(
		until grep -q "^$name done" $KEPT/log; do sleep 1; done
		tar cf "$OUT/$name.tar" -C $KEPT "$name.npz" "$name.json"
	) &
done
timeout $((WITHIN + 25)) python3 train.py --pack data/taught.npz --base data/bge.npz --said data/said.npz --out $KEPT --within $WITHIN $RUNS 2>&1 |
	grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log
sleep 4
kill $(jobs -p) 2> /dev/null
true
