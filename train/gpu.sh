# All that needs a GPU, from within train/, unattended: start it in the background (setsid), look at the log, fetch what it made.
#
#   gpu.sh first SECONDS   lessons by labels alone, of no family that is measured, for which the decoder need not be at hand yet
#   gpu.sh rest SECONDS    the decoder writes, learns to judge and judges; models learn from it, one for each set of families left out and two of all
#                          sets, of which one goes on from the version before (data/before.bin)
#   gpu.sh fetch NAME...   what models said goes to OUT
#   gpu.sh weights NAME    a model's weights go to OUT, in parts
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
ANSWERS=wice+attributionbench+falke+citation_integrity+scitail
CLAIMS=fm2+summedits+fever
mkdir -p $KEPT
learn() { python3 train.py --base data/bge.npz --out $KEPT "$@" 2>&1 | grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log; }

case $1 in
first)
	learn --pack data/pack.npz --within "$2" first:epochs=9,test=0,without=$ANSWERS+$CLAIMS
	;;
rest)
	until grep -q "^first done" $KEPT/log; do sleep 1; done
	python3 write.py claims --words data/words.npz --decoder data/qwen --topics data/topics.npz --tell 13000 --evidences 36000 --until $(($2 * 27 / 100)) --out data/written.npz 2>&1 | tee -a $KEPT/log
	python3 words.py finish --pack data/pack.npz --texts data/pack.texts.gz --words data/words.npz --written data/written.npz --vocab data/vocab.txt --tokenizer data/qwen.tokenizer.json --out data/taught.npz > $KEPT/finish.log 2>&1 &
	python3 teach.py --words data/words.npz --decoder data/qwen --written data/written.npz --without wice+attributionbench+$CLAIMS --evidences 6000 --some 120 --until $(($2 * 22 / 100)) --out data/said.npz 2>&1 | tee -a $KEPT/log
	wait
	learn --pack data/taught.npz --said data/said.npz --within $(($2 - SECONDS)) \
		"f1:epochs=1.5,from=$KEPT/first.bin,without=$ANSWERS" "on:epochs=1.4,from=data/before.bin,lr=2e-4" "all:epochs=1.2,from=$KEPT/first.bin,order=2" "f2:epochs=1,from=$KEPT/first.bin,without=$CLAIMS"
	;;
fetch)
	shift
	tar cf - -C $KEPT $(for name; do echo "$name.npz" "$name.json"; done) | split -b 15000000 -d - "$OUT/said.tar."
	;;
weights)
	split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin."
	;;
esac
