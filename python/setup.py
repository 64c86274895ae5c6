"""One wheel per platform for every Python: the compiled library lies inside and is loaded by ctypes."""
import re
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

HEADER = Path(__file__).resolve().parent.parent / "include" / "difflns.h"


def version() -> str:
    text = HEADER.read_text()
    return ".".join(re.search(rf"DIFFLNS_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


class PlatformDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True  # so that the wheel is a platform's


class AnyPython(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(version=version(), distclass=PlatformDistribution, cmdclass={"bdist_wheel": AnyPython})
