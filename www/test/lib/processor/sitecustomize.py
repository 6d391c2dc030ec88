"""If on Python's path, tells the reference that the processor is `PROCESSOR`: cores, and sizes of three caches in bytes."""
import os

count, *caches = map(int, os.environ["PROCESSOR"].split())
os.sched_getaffinity = lambda _: set(range(count))
os.cpu_count = lambda: count
import blosc2

blosc2.cpu_info.update(zip(("l1_data_cache_size", "l2_cache_size", "l3_cache_size"), caches))
