# All that needs a GPU, from within train/, unattended: start it in the background (setsid), look at the log, fetch what it made.
#
#   gpu.sh lessons WRITE TEACH   seconds: the decoder writes; it learns to judge, and judges
#   gpu.sh learn WIDE FIRST ALL  seconds each: the whole base, which sees no family that is measured; thinned, the same; from that one of all sets
#   gpu.sh on SECONDS            in place of the three: what is shipped (data/start.bin) learns from new lessons
#   gpu.sh whole WRITE TEACH END lessons, then "on" with all the time that is left until END (as date +%s gives it)
#   gpu.sh wait NAME SECONDS     waits so long at the most for the weights of a model that is finished, and brings the newest there are to OUT
#   gpu.sh warm                  a few steps, so that what is compiled for a model's lessons is there when they begin
#   gpu.sh fetch NAME...         what models said goes to OUT
#   gpu.sh weights NAME          a model's weights go to OUT, in parts
#
# Lessons of another time can be gone on from: data/written.before.npz and data/said.before*.npz (of several decoders); SEED must then be another one, or
# the decoder writes and learns the same again. Claims that nobody has spoken of are then judged first. WITHOUT= lets it learn from all families, where
# none is to be measured; SYNTH is how much it learns of what was made of texts. What it learned is kept as data/learned.pt (teach.py --learned).
set -u
export PYTHONUNBUFFERED=1
KEPT=/tmp/runs
ANSWERS=wice+attributionbench+falke+citation_integrity+scitail
CLAIMS=fm2+summedits+fever
READY=60 # seconds from the start of "on" to its first step, and from its last one to its weights
mkdir -p $KEPT
there() { for f; do [ -f "$f" ] && echo "$f"; done; }

case $1 in
lessons)
	before=$(there data/written.before.npz)
	python3 write.py claims --words data/words.npz --decoder data/qwen --topics data/topics.npz ${before:+--written $before} --seed ${SEED:-3} --tell ${TELL:-$(($2 * 40))} --evidences ${EVIDENCES:-30000} --copies ${COPIES:-3} --until $2 --out data/written.npz 2>&1 | tee -a $KEPT/log
	python3 words.py finish --pack data/pack.npz --texts data/claims.texts.gz --words data/words.npz --written data/written.npz --vocab data/vocab.txt --tokenizer data/qwen.tokenizer.json --plain data/plain.npz --out data/taught.npz > $KEPT/finish.log 2>&1 &
	said=$(there data/said.before*.npz) learned=$(there data/learned.before.pt)
	python3 teach.py --words data/words.npz --decoder data/qwen --written data/written.npz --seed ${SEED:-1} --without "${WITHOUT-wice+attributionbench+$CLAIMS}" --synth ${SYNTH:-1} --pairs ${PAIRS:-1} --evidences 6000 --some ${SOME:-80} ${said:+--before $said} ${learned:+--learned $learned} --keep data/learned.pt --until $3 --out data/said.npz 2>&1 | tee -a $KEPT/log
	wait
	;;
learn)
	python3 train.py --base data/mpnet.0.npz data/mpnet.1.npz --said $(there data/said.before*.npz) data/said.npz --out $KEPT --pack data/taught.npz \
		"wide:epochs=5,seconds=$2,decay=0.5,lr=1e-4,quant=0,without=$ANSWERS+$CLAIMS" \
		"first:epochs=5,seconds=$3,decay=0.9,lr=1e-4,quant=0.4,order=2,keep=1408,from=@wide,without=$ANSWERS+$CLAIMS" \
		"all:epochs=6,seconds=$4,lr=1e-4,quant=0.5,order=3,test=2,from=@first" 2>&1 | grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log
	;;
warm)
	python3 train.py --pack data/pack.npz --start data/start.bin --out /tmp/warm --limit 2 "on:epochs=0.1,quant=0.5,test=0" 2>&1 | grep -v -i warn
	;;
on)
	python3 train.py --start data/start.bin --said $(there data/said.before*.npz) data/said.npz --out $KEPT --pack data/taught.npz \
		"on:epochs=6,seconds=$2,lr=1e-4,quant=${QUANT:-0.1},order=${ORDER:-2},test=2,from=data/start.bin${MORE:+,$MORE}" 2>&1 | grep --line-buffered -v -i -e warn -e run_backward | tee -a $KEPT/log
	;;
whole)
	bash "$0" lessons $2 $3
	bash "$0" on $(($4 - $(date +%s) - READY))
	touch $KEPT/on.done
	;;
wait)
	until [ -f "$KEPT/$2.done" ] || [ $SECONDS -ge "$3" ]; do sleep 1; done
	bash "$0" weights "$2"
	tail -5 $KEPT/log
	;;
fetch)
	shift
	tar cf - -C $KEPT $(for name; do echo "$name.npz" "$name.json"; done) | split -b 15000000 -d - "$OUT/said.tar."
	;;
weights)
	split -b 15000000 -d "$KEPT/$2.bin" "$OUT/$2.bin."
	;;
esac
