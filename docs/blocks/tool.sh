# Files that the page speaks of.
sample="$GOLDEN/blosc2-4.14.1/sample.b2nd"
b2nd get "$sample" 0 -f npy -o x.npy
head -c $((480 * 640 * 4)) /dev/zero > items
b2nd create items array.b2nd --shape 480,640 --dtype '<f4'
b2nd get array.b2nd "0:10, 5" -o part.npy
b2nd get array.b2nd 0:20 -o more.npy
b2nd get "$sample" "..., 0" -o values.npy
b2nd create x.npy new.zarr.b2nd
# block
