"""The examples of the guide and of the docstrings."""

import doctest
from pathlib import Path

import pytest

import gohops
from gohops import _worker

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "python.md"


def test_guide():
    failed, tried = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert tried > 20 and not failed


@pytest.mark.parametrize("module", [gohops, _worker])
def test_docstrings(module):
    failed, tried = doctest.testmod(module, extraglobs={"gohops": gohops})
    assert tried and not failed
