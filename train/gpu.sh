# All that needs a GPU, from within train/, unattended: start it in the background (setsid), look at the log, fetch what it made.
#
#   gpu.sh first SECONDS   lessons for which the decoder need not be at hand yet
#   gpu.sh rest SECONDS    the decoder writes, learns to judge and judges; models learn from it, one for each set of families left out and one of all sets
#   gpu.sh fetch NAME...   what models said goes to OUT
#   gpu.sh weights NAME    a model's weights go to OUT, in parts
#
# What was made another time can be gone on from: data/written.before.npz, data/said.before*.npz (of several decoders) and data/taught.before.npz, and the models
# data/f1.bin, data/f2.bin and data/on.bin. Without these a first model learns by labels alone, of no family that is measured, and all go on from that.
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
ANSWERS=wice+attributionbench+falke+citation_integrity+scitail
CLAIMS=fm2+summedits+fever
mkdir -p $KEPT
learn() { python3 train.py --base data/bge.npz --out $KEPT "$@" 2>&1 | grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log; }
there() { for f; do [ -f "$f" ] && echo "$f" && return; done; }
at() { until grep -q "^first done" $KEPT/log; do sleep 1; done; there $KEPT/"$1".bin data/"$1".bin $KEPT/first.bin; }

case $1 in
first)
	if [ -f data/f2.bin ]; then
		learn --pack data/taught.before.npz --said data/said.before*.npz --within "$2" f2:epochs=2,test=0,lr=2e-4,from=data/f2.bin,without=$CLAIMS
		echo "first done" >> $KEPT/log
	else
		learn --pack data/pack.npz --within "$2" first:epochs=9,test=0,without=$ANSWERS+$CLAIMS
	fi
	;;
rest)
	before=$(there data/written.before.npz)
	python3 write.py claims --words data/words.npz --decoder data/qwen --topics data/topics.npz ${before:+--written $before --seed 4} --tell 12000 --evidences 24000 --until $(($2 * 25 / 100)) --out data/written.npz 2>&1 | tee -a $KEPT/log
	python3 words.py finish --pack data/pack.npz --texts data/pack.texts.gz --words data/words.npz --written data/written.npz --vocab data/vocab.txt --tokenizer data/qwen.tokenizer.json --out data/taught.npz > $KEPT/finish.log 2>&1 &
	python3 teach.py --words data/words.npz --decoder data/qwen --written data/written.npz --without wice+attributionbench+$CLAIMS --evidences 6000 --some 120 ${before:+--claims --before $before} --until $(($2 * 30 / 100)) --out data/said.npz 2>&1 | tee -a $KEPT/log
	wait
	each="lr=2e-4${before:+,before=0.5}"
	learn --pack data/taught.npz --said ${before:+data/said.before*.npz} data/said.npz --within $(($2 - SECONDS)) "on:epochs=1.6,test=0,from=$(at on),$each" "f1:epochs=1.4,from=$(at f1),$each,without=$ANSWERS" "f2:epochs=0.8,from=$(at f2),$each,without=$CLAIMS"
	;;
fetch)
	shift
	tar cf - -C $KEPT $(for name; do echo "$name.npz" "$name.json"; done) | split -b 15000000 -d - "$OUT/said.tar."
	;;
weights)
	split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin."
	;;
esac
