# The model of all training sets, and models without some families, in calls of ten minutes at most.
#
#   folds.sh full, left, others   train; what each says of what it had not seen goes to OUT as soon as it is done
#   folds.sh fetch NAME           its weights go to OUT, in parts
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
SAID=data/said.npz
case $1 in
full) WITHIN=545 SAID="data/said.npz data/said.all.npz" RUNS="full:epochs=9" ;;
left) WITHIN=240 RUNS="wice_attributionbench:epochs=6,without=wice+attributionbench" ;;
others) WITHIN=530 RUNS="fm2_summedits:epochs=6,without=fm2+summedits fever:epochs=6,without=fever" ;;
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
timeout $((WITHIN + 40)) python3 train.py --pack data/taught.npz --base data/bge.npz --said $SAID --out $KEPT --within $WITHIN $RUNS 2>&1 |
	grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log
sleep 2
kill $(jobs -p) 2> /dev/null
true
