"""What the wheel is called and carries, decided when it is built.

GOHOPS_VERSION is its version. GOHOPS_WHEEL_BINARY is the program that it carries, for the
platform that its tag then names; without one, the wheel is for any platform and looks for
hops in PATH.
"""

import os
import struct

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of an ELF file
INTERPRETER = 3  # type of the program header that a dynamically linked program has


class Version(MetadataHookInterface):
    def update(self, metadata):
        metadata["version"] = os.environ.get("GOHOPS_VERSION") or "0.dev0"


class Binary(BuildHookInterface):
    def initialize(self, version, build_data):
        binary = os.environ.get("GOHOPS_WHEEL_BINARY")
        if binary:
            build_data["pure_python"] = False
            build_data["tag"] = tag(binary)
            build_data["force_include"][binary] = "gohops/bin/hops"


def tag(binary):
    """Return the tag of a wheel with this program: one that is static runs with musl, too."""
    with open(binary, "rb") as file:
        elf = file.read(1 << 16)
    if elf[:6] != b"\x7fELF\x02\x01":
        raise ValueError(f"{binary} is not a program for 64-bit Linux")
    machine = MACHINES[struct.unpack_from("<H", elf, 18)[0]]
    start, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    kinds = [struct.unpack_from("<I", elf, start + i * size)[0] for i in range(count)]
    musl = "" if INTERPRETER in kinds else f".musllinux_1_1_{machine}"
    return f"py3-none-manylinux_2_17_{machine}{musl}"
