"""Tampering with case files: carelessly, or with the manifest made to fit; the ZIP is as Rejoin writes it."""

import hashlib
import json
import zipfile

from core.case.zip_layout import MANIFEST, new_entry
from core.system.json_values import canonical


def entries_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path, entries, manifest=True):
    """Write a case file of these entries; with a manifest that fits, if wanted."""
    if manifest and MANIFEST in entries:
        sha256 = {name: hashlib.sha256(data).hexdigest() for name, data in entries.items() if name != MANIFEST}
        entries[MANIFEST] = canonical({"format": 3, "sha256": sha256})
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(new_entry(name, compress=False), data)


def edit(path, change, name="case.json", manifest=True):
    """Change what an entry of JSON tells."""
    entries = entries_of(path)
    told = json.loads(entries[name])
    change(told)
    entries[name] = json.dumps(told).encode()
    rewrite(path, entries, manifest)


def edit_history(path, change, manifest=True):
    """Change the list of the history's entries."""
    entries = entries_of(path)
    told = [json.loads(line) for line in entries["history.jsonl"].splitlines()]
    change(told)
    entries["history.jsonl"] = b"".join(canonical(entry) + b"\n" for entry in told)
    rewrite(path, entries, manifest)
