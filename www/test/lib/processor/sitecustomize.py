"""On Python's path, makes the reference believe that `PROCESSOR` is what it runs on: cores and bytes of three caches."""
import os

count, *caches = map(int, os.environ["PROCESSOR"].split())
os.sched_getaffinity = lambda _: set(range(count))
os.cpu_count = lambda: count
import blosc2

blosc2.cpu_info.update(zip(("l1_data_cache_size", "l2_cache_size", "l3_cache_size"), caches))
