#!/usr/bin/env python3
"""JSON that commands write, and the schemas of docs/schema that describe it.

tools/schema.py check FOLDER FILE…   TAP: each document fits the schema it names, and that schema describes each of its fields
tools/schema.py fits FOLDER FILE…    the same, but a field that is not described is only told
tools/schema.py learn FOLDER FILE…   adds the fields of documents that the schemas do not have yet; what is required stays so only if all have it

A file that is empty or no JSON object is left out of both (a command that wrote elsewhere). Fields that are not in a schema may come at any time, as a
reader must expect: only our own test wants them described."""
import hashlib
import json
import os
import re
import sys

# Objects whose keys are names, not fields.
MAPS = {"causes", "parts", "area", "metrics", "facts", "parameters"}


def documents(files):
    """Each different document once, by the schema it names."""
    seen, found = set(), {}
    for path in files:
        with open(path, "rb") as f:
            text = f.read()
        digest = hashlib.sha1(text).digest()
        if not text.lstrip().startswith(b"{") or digest in seen:
            continue
        seen.add(digest)
        try:
            document = json.loads(text)
        except ValueError as e:
            found.setdefault("no JSON", []).append((path, str(e)))
            continue
        if str(document.get("schema", "")).startswith("corecast."):
            found.setdefault(document["schema"], []).append((path, document))
    return found


# --- check ---

def resolve(node, root):
    while "$ref" in node:
        target = root
        for part in node["$ref"].split("/")[1:]:
            target = target[part]
        node = target
    return node


def undescribed(value, node, root, where):
    """Paths of fields that the schema does not have."""
    node = resolve(node, root)
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in node.get("properties", {}):
                yield from undescribed(inner, node["properties"][key], root, where + "." + key)
            elif isinstance(node.get("additionalProperties"), dict):
                yield from undescribed(inner, node["additionalProperties"], root, where + ".*")
            else:
                yield where + "." + key
    elif isinstance(value, list):
        for inner in value:
            yield from undescribed(inner, node.get("items", {}), root, where + "[]")


def problems_of(name, cases, folder, strict):
    import jsonschema
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return ["there is no " + path]
    with open(path) as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    found = []
    for file, document in cases:
        for e in validator.iter_errors(document):
            problem = "%s: %s: %s" % (os.path.basename(file), e.json_path, e.message[:160])
            # null is "unknown" everywhere; what was never unknown before may be so in a run that others look at
            if e.validator == "type" and e.instance is None and not strict:
                print("# " + problem)
            else:
                found.append(problem)
        unknown = ["%s: not described: %s" % (os.path.basename(file), w) for w in sorted(set(undescribed(document, schema, schema, "$")))]
        if strict:
            found += unknown
        else:
            for u in unknown:
                print("# " + u)
    return found


def check(folder, files, strict=True):
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("ok 1 - schemas # SKIP no python3-jsonschema\n1..1")
        return 0
    failed, n = 0, 0
    found = documents(files)
    for n, (name, cases) in enumerate(sorted(found.items()), 1):
        problems = [str(c) for c in cases] if name == "no JSON" else problems_of(name, cases, folder, strict)
        for p in problems[:8]:
            print("# " + p)
        if problems:
            print("# 'make schemas' describes what is new in tests/cli/schema.sh, 'tools/schema.py learn docs/schema FILE' what is in a file")
        failed += bool(problems)
        print("%s %d - %s: %d documents fit" % ("not ok" if problems else "ok", n, name, len(cases)))
    print("1..%d" % n)
    return 1 if failed else 0


# --- learn ---

FRACTIONS = set()
# What may be unknown wherever it stands.
UNKNOWN = {"file", "line", "function", "object", "library", "symbol", "type", "reason", "source"}


def fractions():
    """Fields that the sources write as numbers with a fraction: a whole one in a document says nothing, and one that is not finite is null."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")
    keys = set()
    for folder, _, files in os.walk(top):
        for name in files:
            if name.endswith(".c") and not name.startswith("test_"):
                with open(os.path.join(folder, name)) as f:
                    text = f.read()
                keys.update(re.findall(r'cc_result_num\(\w+, "(\w+)"', text))
                keys.update(re.findall(r'\{"(\w+)",[^{}]*CC_COL_(?:NUM|PERCENT)', text))
    return keys


def type_of(value):
    return {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object", type(None): "null"}[type(value)]


def add_type(node, kind):
    have = node.get("type", [])
    have = [have] if isinstance(have, str) else list(have)
    if "enum" in node or "const" in node:
        return
    if kind == "integer" and "number" in have:
        return
    if kind == "number" and "integer" in have:
        have.remove("integer")
    if kind not in have:
        have.append(kind)
    have.sort(key=lambda t: (t == "null", t))
    node["type"] = have[0] if len(have) == 1 else have


def learn_object(value, node, root, key):
    if key in MAPS or isinstance(node.get("additionalProperties"), dict):
        inner = node.setdefault("additionalProperties", {})
        for v in value.values():
            learn_value(v, inner, root, None)
        return
    new = "properties" not in node
    have = node.setdefault("properties", {})
    for k, v in value.items():
        if k == "children" and isinstance(v, list):  # a tree: below is what is above
            name = key or "node"
            root.setdefault("$defs", {})
            have[k] = {"type": "array", "items": {"$ref": "#/$defs/" + name}}
            root["$defs"].setdefault(name, node if "$ref" not in node else {})
            for child in v:
                learn_value(child, root["$defs"][name], root, name)
            continue
        learn_value(v, have.setdefault(k, {}), root, k)
    required = list(value) if new else [k for k in node.get("required", []) if k in value]
    if required:
        node["required"] = required
    else:
        node.pop("required", None)


def learn_value(value, node, root, key):
    node = resolve(node, root)
    add_type(node, type_of(value))
    if type_of(value) == "number" or (type_of(value) == "integer" and key in FRACTIONS):
        add_type(node, "number")
        add_type(node, "null")
    elif key in UNKNOWN and type_of(value) in ("integer", "string"):
        add_type(node, "null")
    if isinstance(value, dict):
        learn_object(value, node, root, key)
    elif isinstance(value, list):
        for inner in value:
            learn_value(inner, node.setdefault("items", {}), root, None)


def fits(folder, files):
    return check(folder, files, strict=False)


def learn(folder, files):
    global FRACTIONS
    FRACTIONS = fractions()
    for name, cases in sorted(documents(files).items()):
        path = os.path.join(folder, name + ".json")
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, "description": ""}
        if os.path.exists(path):
            with open(path) as f:
                schema = json.load(f)
        for _, document in cases:
            learn_value(document, schema, schema, None)
        versions = sorted({d["version"] for _, d in cases})
        schema["properties"]["schema"] = {"const": name}
        schema["properties"]["version"] = {"const": versions[-1], "description": "raised when a field changes its meaning or goes"}
        with open(path, "w") as f:
            json.dump(schema, f, indent=1, ensure_ascii=False)
            f.write("\n")
    return 0


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("check", "fits", "learn"):
        print(__doc__, file=sys.stderr)
        return 2
    return {"check": check, "fits": fits, "learn": learn}[sys.argv[1]](sys.argv[2], sys.argv[3:])


sys.exit(main())
