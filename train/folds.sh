# Trains models in calls of ten minutes at most.
#
#   folds.sh SECONDS DECODERS RUN...   trains (train.py); DECODERS are files of what they said, with commas between them. What each model says of what it
#                                      had not seen goes to OUT as soon as it is done
#   folds.sh fetch NAME                its weights go to OUT, in parts
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
if [ "$1" = fetch ]; then exec split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin."; fi
within=$1 said=${2//,/ }
shift 2
mkdir -p $KEPT
: > $KEPT/log
for run in "$@"; do
	name=${run%%:*}
	(
		until grep -q "^$name done" $KEPT/log; do sleep 1; done
		tar cf "$OUT/$name.tar" -C $KEPT "$name.npz" "$name.json"
	) &
done
timeout $((within + 40)) python3 train.py --pack data/taught.npz --base data/bge.npz --said $said --out $KEPT --within $within "$@" 2>&1 |
	grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log
sleep 2
kill $(jobs -p) 2> /dev/null
true
