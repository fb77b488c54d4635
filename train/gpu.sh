# All that needs a GPU, from within train/, unattended: start it in the background (setsid), look at the log, fetch what it made.
#
#   gpu.sh first SECONDS   lessons by labels alone, of no family that is measured, for which the decoder need not be at hand yet
#   gpu.sh rest SECONDS    the decoder writes, learns to judge and judges; models learn from it, two for each family left out and two of all sets,
#                          and the mean of each two says what it thinks of what it had not seen
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
	python3 write.py claims --words data/words.npz --decoder data/qwen --topics data/topics.npz --tell 9000 --evidences 22000 --until $(($2 / 6)) --out data/written.npz 2>&1 | tee -a $KEPT/log
	python3 words.py finish --pack data/pack.npz --texts data/pack.texts.gz --words data/words.npz --written data/written.npz --vocab data/vocab.txt --tokenizer data/qwen.tokenizer.json --out data/taught.npz > $KEPT/finish.log 2>&1 &
	python3 teach.py --words data/words.npz --decoder data/qwen --written data/written.npz --without wice+attributionbench+$CLAIMS --evidences 12000 --some 120 --until $(($2 / 4)) --out data/said.npz 2>&1 | tee -a $KEPT/log
	wait
	run() { echo "$1:epochs=1.3,from=$KEPT/first.bin,order=$2,test=$3,without=$4"; }
	mean() { echo "$1:epochs=0,from=$KEPT/$2.bin+$KEPT/$3.bin,without=$4"; }
	learn --pack data/taught.npz --said data/said.npz --within $(($2 - SECONDS)) \
		"$(run f1a 1 1 $ANSWERS)" "$(run f1b 2 0 $ANSWERS)" "$(mean f1 f1a f1b $ANSWERS)" "$(run alla 1 0 '')" "$(run allb 2 0 '')" "$(mean all alla allb '')" \
		"$(run f2a 1 0 $CLAIMS)" "$(run f2b 2 0 $CLAIMS)" "$(mean f2 f2a f2b $CLAIMS)"
	;;
fetch)
	shift
	tar cf - -C $KEPT $(for name; do echo "$name.npz" "$name.json"; done) | split -b 15000000 -d - "$OUT/said.tar."
	;;
weights)
	split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin."
	;;
esac
