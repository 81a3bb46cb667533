#!/usr/bin/python3
"""Boots the real cloud-init once for each case of /root/cases.json, one after another and from a clean state, in processes that
have its modules loaded already. Writes what each leaves to /root/left.json."""
import base64
import importlib
import json
import os
import pkgutil
import shutil
import sys

import cloudinit.config
import cloudinit.cmd.main as program
import jinja2  # noqa: F401
import requests  # noqa: F401
import yaml  # noqa: F401

for name in ["cloudinit.sources.DataSourceNoCloud", "cloudinit.sources.DataSourceNone", "cloudinit.distros.debian"]:
    importlib.import_module(name)
for module in pkgutil.iter_modules(cloudinit.config.__path__):
    if module.name in ("cc_bootcmd", "cc_write_files", "cc_users_groups", "cc_runcmd", "cc_scripts_user", "schema", "modules"):
        importlib.import_module("cloudinit.config." + module.name)

STAGES = (["init", "--local"], ["init"], ["modules", "--mode=config"], ["modules", "--mode=final"])
SEED = "/var/lib/cloud/seed/nocloud"


def run(arguments, log):
    child = os.fork()
    if child == 0:
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.argv = ["cloud-init"] + arguments
        try:
            os._exit(int(program.main(sys.argv) or 0) & 0xFF)
        except SystemExit as end:
            os._exit(int(end.code or 0) & 0xFF)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    os.waitpid(child, 0)


def empty(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def content(path):
    try:
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()
    except OSError:
        return None


def boot(case, metadata, paths):
    for folder in ("/var/lib/cloud", "/opt"):
        empty(folder)
    shutil.rmtree("/run/cloud-init", ignore_errors=True)
    os.makedirs(SEED)
    with open(SEED + "/user-data", "wb") as file:
        file.write(base64.b64decode(case))
    with open(SEED + "/meta-data", "w") as file:
        json.dump(metadata, file)
    log = "/root/boot.log"
    if os.path.exists(log):
        os.unlink(log)
    for arguments in STAGES:
        run(arguments, log)
    try:
        with open("/run/cloud-init/result.json") as file:
            errors = json.load(file)["v1"]["errors"]
    except (OSError, ValueError):
        errors = ["no result"]
    with open(log, errors="replace") as file:
        said = file.read()
    return {"files": {path: content(path) for path in paths}, "errors": errors, "log": said[-4000:]}


with open("/root/cases.json") as file:
    given = json.load(file)
left = {name: boot(case, given["metadata"], given["paths"]) for name, case in given["cases"].items()}
with open("/root/left.json", "w") as file:
    json.dump(left, file)
