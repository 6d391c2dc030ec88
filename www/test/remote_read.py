"""Prints the requests of the remote reader of Python for slices, in JSON: `remote_read.py URL SLICES`."""
import json
import sys
import urllib.request

import blosc2
from blosc2.proxy_source import ByteRangeNDSource


class Source(ByteRangeNDSource):
    def read_range(self, offset, size):
        request = urllib.request.Request(self.urlpath, headers={"Range": f"bytes={offset}-{offset + size - 1}"})
        content = urllib.request.urlopen(request).read()
        self.traffic.charge(len(content))
        return content


url, slices = sys.argv[1], json.loads(sys.argv[2])
figures = {}
for name, selection in slices.items():
    source = Source(url)
    if selection is not None:
        source.traffic.reset()
        blosc2.Proxy(source)[tuple(slice(*bounds) for bounds in selection)]
    figures[name] = {"requests": source.traffic.requests, "bytes": source.traffic.nbytes}
print(json.dumps(figures))
