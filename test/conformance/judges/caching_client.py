"""Reads a served wiki through a shared cache while it changes, and reports what the cache got wrong.

    python caching_client.py <url> <token> <directory of the wiki> <the wiki program>

Prints JSON: `judged` reads, those `reused` from the cache, `findings` by kind, and `examples`. Seeded.
"""

import json
import random
import subprocess
import sys

import httpx
from hishel import CacheOptions, SpecificationPolicy, SyncSqliteStorage
from hishel.httpx import SyncCacheClient

url, token, directory, program = sys.argv[1:]
chance = random.Random(38)
steps = 700

titles = ["Main_Page", "Tide_times", "Ferry", "Crane"]
page_routes = ["", "/bare", "/html", "/with_html", "/history", "/history/counts/edits", "/links/here", "/links/out", "/lint"]
paths = [f"/v1/page/{{}}{route}" for route in page_routes]
paths += ["/wiki/{}", "/wiki/{}?action=history", "/wiki/{}?action=raw", "/v1/search/page?q={}", "/v1/search/title?q={}"]
others = ["/v1/changes", "/v1/pages", "/v1/feed", "/wiki/Special:RecentChanges", "/v1/file/Judged.txt", "/files/Judged.txt"]
others += ["/v1/session", "/wiki/Special:Search?search=judged", "/openapi.json", "/v1/revision/{}", "/v1/revision/{}/html"]
codings = ["identity", "gzip", "br", "zstd;q=0.1, gzip", "*"]

authorization = {"Authorization": f"Bearer {token}"}
direct = httpx.Client(base_url=url)
cached = SyncCacheClient(
    base_url=url,
    storage=SyncSqliteStorage(database_path="cache.sqlite"),
    policy=SpecificationPolicy(cache_options=CacheOptions(shared=True)),
)
login = direct.post("/v1/session", json={"token": token})
cookie = {"Cookie": login.headers["set-cookie"].split(";")[0]}
direct.cookies.clear()


def latest(title):
    answer = direct.get(f"/v1/page/{title}/bare", headers=authorization)
    return answer.json()["latest"]["id"] if answer.status_code == 200 else None


def edit(title):
    known = latest(title)
    body = {"source": f"== Judged ==\n{chance.random()} [[Ferry]]\n\n" + "word " * chance.choice([3, 900]), "comment": None}
    if known is not None:
        body["latest"] = {"id": known}
    return direct.put(f"/v1/page/{title}", json=body, headers=authorization)


def move(title):
    return direct.post(f"/v1/page/{title}/move", json={"to": f"{title}_{chance.randrange(3)}"}, headers=authorization)


def delete(title):
    known = latest(title)
    return known and direct.request("DELETE", f"/v1/page/{title}", json={"latest": {"id": known}}, headers=authorization)


def restore(title):
    return direct.post(f"/v1/page/{title}/restore", json={}, headers=authorization)


def upload(_):
    return direct.put("/v1/file/Judged.txt", content=f"{chance.random()}\n".encode(), headers=authorization)


def hide(title):
    known = latest(title)
    if known is None:
        return
    verb, part = chance.choice([("hide", "--author"), ("hide", "--comment"), ("show", "--author")])
    own = ["--user", "Ada Example <ada@example.org>"]
    subprocess.run(["node", program, "-C", directory, "revision", verb, str(known), part, *own], capture_output=True)


writes = [edit] * 12 + [move, delete, restore, upload, upload, hide]


def read(client, path, headers):
    """Status, headers and decoded bytes of a response, and the bytes as they were sent."""
    with client.stream("GET", path, headers=headers) as answer:
        raw = b"".join(answer.iter_raw())
    decoded = httpx.Response(200, headers=answer.headers, content=raw).content if raw else raw
    return answer, decoded


def is_accepted(coding, accepted):
    return coding == "identity" or "*" in accepted or any(coding == part.split(";")[0].strip() for part in accepted.split(","))


def faults(path, headers):
    answer, body = read(cached, path, headers)
    truth, true_body = read(direct, path, headers)
    coding = answer.headers.get("content-encoding", "identity")
    reused = bool(answer.extensions.get("hishel_from_cache"))
    found = []
    if not is_accepted(coding, headers["Accept-Encoding"]):
        found.append("a coding that the client does not accept")
    if answer.status_code != truth.status_code:
        found.append(f"status {answer.status_code} instead of {truth.status_code}")
    elif body != true_body:
        found.append("another text than the server's")
    return found, reused


findings, examples, judged, reused_count = [], [], 0, 0
for step in range(steps):
    if chance.random() < 0.2:
        chance.choice(writes)(chance.choice(titles))
    for _ in range(2):
        pattern = chance.choice(paths + others)
        path = pattern.format(chance.choice(titles) if "revision" not in pattern else chance.randrange(1, 60))
        headers = {"Accept-Encoding": chance.choice(codings), "Accept": "text/html" if path.startswith("/wiki") else "*/*"}
        headers |= chance.choice([{}, {}, {}, cookie, authorization, {"Accept-Language": "de"}])
        found, reused = faults(path, headers)
        # A page that shows the time may have changed between the two reads.
        if found:
            found, reused = faults(path, headers)
        judged += 1
        reused_count += reused
        findings += found
        examples += [f"{path} {sorted(headers)}: {fault}" for fault in found]

print(json.dumps({"judged": judged, "reused": reused_count, "findings": findings, "examples": examples[:20]}))
