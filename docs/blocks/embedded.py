import os

import blosc2
import numpy as np

# block
assert os.path.getsize("log.b2nd") > 0
# not run: the attribute of a log that a device sent
