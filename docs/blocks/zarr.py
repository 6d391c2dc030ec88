import numpy as np

chunk_shape, block_shape, dtype = (5, 7), (2, 3), "<i4"
wanted = np.arange(35, dtype=dtype).reshape(chunk_shape)
outer = np.zeros((6, 9), dtype)
outer[:5, :7] = wanted
plain = b"".join(outer[i : i + 2, j : j + 3].tobytes() for i in range(0, 6, 2) for j in range(0, 9, 3))
# block
assert (items == wanted).all()
