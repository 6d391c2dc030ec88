# Files that the page speaks of.
sample="$GOLDEN/blosc2-4.14.1/sample.b2nd"
head -c 20000 "$sample" > image.b2nd.part
b2nd get "$sample" 0 -f npy -o x.npy
b2nd get "$sample" "..., 0" -f npy -o values.npy
head -c $((480 * 640 * 4)) /dev/zero > items
b2nd create items array.b2nd --shape 480,640 --dtype '<f4'
b2nd get array.b2nd "0:10, 5" -o part.npy
b2nd get array.b2nd 0:20 -o more.npy
mkdir s.zarr 2024
b2nd create x.npy 2024/01.b2nd --chunks 10,40 --attr 'dims=["time", "x"]'
cp 2024/01.b2nd 2024/02.b2nd
cp 2024/01.b2nd t.b2nd
b2nd unpack t.b2nd s.zarr/temperature
rm t.b2nd
printf 'id,name,born,height\n1,Ada,1815-12-10,1.65\n2,Alan,1912-06-23,1.78\n' | tee people.csv > more.csv
printf 'age\n36\n41\n36\n41\n' > ages.csv
printf '[1, 2]\n{"a": 3}\n' > lines.ndjson
b2nd create-table people.csv made.b2z/people
b2nd get made.b2z/people -o people.parquet
# For the array of standard input.
exec < items
# block
