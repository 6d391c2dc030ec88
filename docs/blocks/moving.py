# block
assert blosc2.open("made.b2nd")[-1, 2] == 10
# block
assert blosc2.open("temperature.b2nd").shape == (100, 120)
