b2nd get "$GOLDEN/blosc2-4.14.1/sample.b2nd" -f npy -o temperature.npy
# not run: installs packages
# not run: runs these tests
# block
