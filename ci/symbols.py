"""The public declarations of a module, extracted by the compiler."""

import json
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/debug"
TYPES = ("swift.class", "swift.enum", "swift.protocol", "swift.struct", "swift.typealias")
EXPORT = re.compile(r"^@_exported public import (\w+)", re.MULTILINE)


class Failure(Exception):
    """The error message of a check."""


def run(*command):
    """Runs a command, which prints its own errors."""
    if subprocess.run([str(part) for part in command], cwd=ROOT).returncode != 0:
        raise Failure(f"{command[0]} failed")


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def exported_modules(module):
    """The modules that a module re-exports, directly or indirectly."""
    known, waiting = set(), [module]
    while waiting:
        file = ROOT / "Modules" / waiting.pop() / "Exports.swift"
        found = set(EXPORT.findall(file.read_text())) if file.exists() else set()
        waiting += found - known
        known |= found
    return sorted(known)


def importing(build):
    """The compiler arguments for importing the built modules."""
    if not (build / "Modules/MagicData.swiftmodule").exists():
        raise Failure(f"MagicData is not built in {build}; run 'swift build' first")
    maps = [*ROOT.glob("Modules/*/module.modulemap"), *build.glob("C*.build/module.modulemap")]
    return [
        "-I", build / "Modules", "-module-cache-path", build / "ModuleCache",
        *(part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}"))]


def extract_symbols(module, build, folder):
    """The public declarations of a module and of the modules that it re-exports. Writes the graphs to a folder.

    The compiler leaves out names with a leading underscore, and `@_documentation(visibility: internal)`.
    """
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True)
    run(
        "swift-symbolgraph-extract", "-module-name", module, "-output-dir", emptied(folder),
        "-target", json.loads(info.stdout)["target"]["unversionedTriple"], *importing(build),
        "-minimum-access-level", "public", "-skip-inherited-docs",
        "-experimental-allowed-reexported-modules=" + ",".join(exported_modules(module)))
    return json.loads((folder / f"{module}.symbols.json").read_text())["symbols"]


def types_of(symbols):
    return [symbol for symbol in symbols if symbol["kind"]["identifier"] in TYPES]
