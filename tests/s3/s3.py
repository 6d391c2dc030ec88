"""Reads arrays and stores with the tool from an S3 server, moto, whose answers a proxy spoils.

    s3.py TOOL ARRAYS STORES

ARRAYS and STORES are folders that `tests/interop/random_files.py` and `tests/interop/stores.py` wrote. Their files are objects in three
buckets, whose names say what the proxy does:

- `plain`: nothing. The requests that the tool says it made are those that arrived.
- `faulty`: some answers are errors, end early, or come slowly. All items are right nevertheless.
- `changing`: the second request for an object finds each byte of it inverted. The tool says so; all items are the old ones otherwise.
"""

import argparse
import hashlib
import http.client
import itertools
import json
import os
import re
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

BUCKETS = ["plain", "faulty", "changing"]
# Of a hundred answers.
ERRORS, CUTS, SLOW = 8, 8, 4


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    behind = None
    client = None
    lock = threading.Lock()
    draw = random.Random(31)
    asked = Counter()
    # Keys in `plain`, with the first byte and the end of each range.
    answered = Counter()

    def log_message(self, *_):
        pass

    def do_GET(self):
        bucket, key = self.path.lstrip("/").split("?")[0].split("/", 1)
        fault = self.draw_fault() if bucket == "faulty" else None
        if fault == "error":
            return self.answer(random.Random(key).choice([500, 503]), [], b"<Error><Code>SlowDown</Code></Error>")
        if bucket == "changing" and self.number(key) == 1:
            self.client.copy_object(Bucket=bucket, Key=key, CopySource=f"{bucket}/{key}.other")
        status, headers, body = self.forward()
        if bucket == "plain" and status == 206:
            ranges = next(value for name, value in headers if name.lower() == "content-range")
            start, end = re.match(r"bytes (\d+)-(\d+)/", ranges).groups()
            with self.lock:
                self.answered[key, int(start), int(end) + 1] += 1
        self.answer(status, headers, body, fault)

    do_HEAD = do_GET

    def draw_fault(self):
        with self.lock:
            at = self.draw.randrange(100)
        limits = itertools.accumulate([ERRORS, CUTS, SLOW])
        return next((fault for fault, limit in zip(["error", "cut", "slow"], limits) if at < limit), None)

    def number(self, key):
        """How many requests there were for an object before this one."""
        with self.lock:
            self.asked[key] += 1
            return self.asked[key] - 1

    def forward(self):
        behind = http.client.HTTPConnection(*self.behind)
        behind.request(self.command, self.path, headers=dict(self.headers))
        answer = behind.getresponse()
        body = answer.read()
        behind.close()
        own = ("connection", "transfer-encoding", "date", "server")
        return answer.status, [pair for pair in answer.getheaders() if pair[0].lower() not in own], body

    def answer(self, status, headers, body, fault=None):
        self.send_response(status)
        # A length that is there is that of a body which HEAD does not have.
        for name, value in headers or [("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        # The body of an error that ends early is an error of another kind.
        if fault == "cut" and status == 206:
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif fault == "slow":
            for start in range(0, len(body), max(len(body) // 5, 1)):
                self.wfile.write(body[start : start + max(len(body) // 5, 1)])
                self.wfile.flush()
                time.sleep(0.02)
        else:
            self.wfile.write(body)


def upload(client, folder, names):
    """Uploads files, and those below directories, to each bucket, with other contents beside those that change."""
    for name in names:
        path = folder / name
        for file in [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.is_file()]:
            key, content = f"{folder.name}/{file.relative_to(folder).as_posix()}", file.read_bytes()
            for bucket in BUCKETS:
                client.put_object(Bucket=bucket, Key=key, Body=content)
            other = bytes(byte ^ 0xFF for byte in content)
            client.put_object(Bucket="changing", Key=key + ".other", Body=other)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def selections(arrays, stores):
    """Keys of objects, with members of stores, selections, and the digests of their items."""
    for case in arrays[1]:
        key = f"{arrays[0].name}/{case['file']}"
        yield key, "", case["sha256"]
        yield from ((key, part["sel"], part["sha256"]) for part in case["slices"])
    for store in stores[1]:
        for member, digest in store["members"].items():
            yield f"{stores[0].name}/{store['path']}{member}", "", digest


class Reader:
    def __init__(self, tool, endpoint):
        self.tool = tool
        self.environment = os.environ | {
            "AWS_ENDPOINT": endpoint,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "id",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
        }

    def read(self, bucket, key, selection):
        """The digest of the items if the tool succeeds, and what it says."""
        command = [self.tool, "get", f"s3://{bucket}/{key}", selection, "-f", "raw", "--requests"]
        ended = subprocess.run(command, env=self.environment, capture_output=True)
        digest = hashlib.sha256(ended.stdout).hexdigest()
        return digest if ended.returncode == 0 else None, ended.stderr.decode()


def asked(bucket, said):
    """The requests that the tool prints."""
    found = re.findall(r"^s3://" + bucket + r"/(\S+): bytes (\d+) to (\d+)$", said, re.M)
    return Counter((key, int(start), int(end)) for key, start, end in found)


def file(key):
    """The object of a key, which may go on with a member."""
    return re.match(r".*?\.(b2z|b2e|b2nd|b2frame|chunk)", key).group()


def check(reader, cases):
    """Reads all cases from all buckets, and returns what is wrong."""
    wrong, planned, changed = [], Counter(), 0
    with ThreadPoolExecutor(4) as pool:
        for bucket in BUCKETS:
            # An object changes once: one case of each.
            some = cases if bucket != "changing" else list({file(case[0]): case for case in cases}.values())
            results = pool.map(lambda case: reader.read(bucket, case[0], case[1]), some)
            for (key, selection, digest), (found, said) in zip(some, results):
                if bucket == "plain":
                    planned += asked(bucket, said)
                refused = bucket == "changing" and found is None and "changed" in said
                changed += refused
                if found != digest and not refused:
                    wrong.append(f"s3://{bucket}/{key} [{selection}]: {said}")
            print(f"{bucket}: {len(some)} selections", flush=True)
    if planned != Proxy.answered:
        wrong.append(f"requests differ: {planned - Proxy.answered} {Proxy.answered - planned}")
    if not changed:
        wrong.append("no object has changed")
    bytes_read = sum((end - start) * count for (_, start, end), count in planned.items())
    print(f"{planned.total()} requests for {bytes_read} bytes; {changed} objects changed in time to be noticed")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for name in ["tool", "arrays", "stores"]:
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    arrays = args.arrays, [case for case in lines(args.arrays / "cases.jsonl") if "sha256" in case and not case.get("offset")]
    # Directories are read from file systems only.
    stores = args.stores, [store for store in lines(args.stores / "stores.jsonl") if not store["path"].endswith(".b2d")]

    moto = ThreadedMotoServer(port=0, verbose=False)
    moto.start()
    Proxy.behind = moto.get_host_and_port()
    key = dict(aws_access_key_id="id", aws_secret_access_key="secret", region_name="us-east-1")
    Proxy.client = boto3.client("s3", endpoint_url="http://%s:%d" % Proxy.behind, **key)
    for bucket in BUCKETS:
        Proxy.client.create_bucket(Bucket=bucket)
    upload(Proxy.client, args.arrays, [case["file"] for case in arrays[1]])
    upload(Proxy.client, args.stores, [store["path"] for store in stores[1]])
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    print(f"{len(arrays[1])} arrays and super-chunks, {len(stores[1])} stores", flush=True)
    wrong = check(Reader(args.tool, f"http://127.0.0.1:{proxy.server_port}"), list(selections(arrays, stores)))
    proxy.shutdown()
    moto.stop()
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
