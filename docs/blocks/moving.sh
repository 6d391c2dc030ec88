cp "$GOLDEN/caterva-0.7.3/2d-t4-lz4-frame.caterva" old.caterva
cp "$GOLDEN/numcodecs-0.7.3/zstd-bits-t3-runs-b0.chunk" zarr-2.chunk
printf '1,2,3,4\n' > line.csv
# Python, which makes these, comes later.
b2nd create line.csv made.b2nd
b2nd get "$GOLDEN/blosc2-4.14.1/sample.b2nd" 0 -f npy -o plane.npy
b2nd create plane.npy temperature.b2nd
# block
# block
cmp items <(command b2nd get typed.b2nd -f raw)
