# The model of all training sets, and one without each family, three at a time.
set -u
export PYTHONUNBUFFERED=1
H="--pack data/pack.npz --base data/bge.npz --out $OUT"
(python3 train.py $H --name full --export > full.log 2>&1; [ -f $OUT/full.bin ] && split -b 12000000 -d $OUT/full.bin $OUT/full.bin. && rm $OUT/full.bin; python3 train.py $H --name wo_fever --without fever > fever.log 2>&1) &
(python3 train.py $H --name wo_attributionbench --without attributionbench > ab.log 2>&1; python3 train.py $H --name wo_wice --without wice > wice.log 2>&1) &
(python3 train.py $H --name wo_summedits --without summedits > se.log 2>&1; python3 train.py $H --name wo_fm2 --without fm2 > fm2.log 2>&1) &
wait
for f in full ab se fever wice fm2; do echo "== $f"; grep -vE "^\w+ [1-9]00 loss" $f.log | cut -c1-100; done
tar cf $OUT/folds.tar -C $OUT $(cd $OUT; ls | grep -E "^(wo_.*npz|full.npz)$") && rm -f $OUT/*.npz $OUT/*.json
