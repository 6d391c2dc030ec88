b2nd get "$GOLDEN/blosc2-4.14.1/sample.b2nd" -f npy -o temperature.npy
# block
